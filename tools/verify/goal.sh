# GOAL texts, read by LogGOPSim's own reader, txt2bin. LogGOPSim is fetched for this and not kept here;
# LOGGOPSIM=FOLDER takes a copy of it that is there already.
# shellcheck shell=sh

part_goal() {
    need git git
    need re2c re2c
    need gengetopt gengetopt
    need c++ g++
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    if [ -n "${LOGGOPSIM:-}" ]; then
        cp -R "$LOGGOPSIM" "$work/simulator"
    else
        git clone --quiet --depth 1 https://github.com/spcl/LogGOPSim "$work/simulator" || return 69
    fi
    (
        cd "$work/simulator/src/LogGOPSim" || exit
        re2c -o txt2bin.cpp txt2bin.re
        gengetopt -F txt2bin_cmdline -i txt2bin_cmdline.ggo
        c++ -w -O1 txt2bin.cpp txt2bin_cmdline.c -o txt2bin
    )
    configure build
    compile build
    python3 tests/cli/goal.py build/tools/kport "$work/simulator/src/LogGOPSim/txt2bin"
}
