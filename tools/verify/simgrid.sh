# shellcheck shell=sh
part_simgrid() {
    need smpirun libsimgrid-dev
    tests_named simgrid-full predict-command-full
}
