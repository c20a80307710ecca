# shellcheck shell=sh
part_account() {
    tests_named account-command-full
}
