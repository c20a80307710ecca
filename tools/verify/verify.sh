# tools/dev verify: everything that is too long for CI, each part by its name. Sourced by tools/dev.
#
# A part is a row below and a file tools/verify/NAME.sh with a function part_NAME, which runs in a
# subshell where every failing command ends it. Its status says how it went; 69 (EX_UNAVAILABLE) says
# that something it needs cannot be had here. That counts as failed: what has not run has verified
# nothing, and who wants less names the parts.

# name | how long, on two cores | what it does
verify_parts() {
    cat <<'END'
models|10 min|SPIN on every model of tests/models, the larger sizes too, and on their planted bugs
mutants|10 min|every memory order weakened in turn, statements swapped: ThreadSanitizer or a model has to fail
long|20 min|the longest tests: all sizes, a hundred thousand fibers, figures drawn, growth, what a clock says
wrong|3 min|the wrong programs, each with its diagnosis, and right ones with delays, by many seeds
differential|3 min|random sequences of collectives, by many seeds, against a serial reference
allocations|2 min|every allocation, mapping and thread refused in turn, in every operation
simgrid|5 min|schedules of all algorithms in more sizes replayed by SimGrid, and as GOAL texts
account|5 min|thousands of schedules changed at random: what kport check says of them is true
goal|2 min|GOAL texts of all algorithms read by the program of LogGOPSim, which is fetched (LOGGOPSIM: a copy)
bsp|8 min|BSP programs: 50,000 random ones, and those of BSPedupack, which is fetched (BSPEDUPACK: a copy)
python|3 min|the Python package: its types by mypy, and its tests where pip and meson-python install it
page|6 min|the page to play with, built by Emscripten, clicked through in headless Chromium beside kport
links|1 min|the manual as a site, and the addresses elsewhere that it leads to: each answers
figures|2 min|kport figures, and its page in headless Chromium, light and dark: no errors, every picture shown
programs|15 min|programs of MPI beside Open MPI, 2 to 64 ranks (RANKS), and messages of more than 2 GiB
soak|10 min|1,000,000 operations and 10,000 planted faults (SOAK_OPERATIONS, SOAK_FAULTS change that)
twins|3 min|the small suite without futexes, affinity, guard markers and GNU's part of libc
without|60 min|the small tests of the machine without each special case in turn (WITHOUT takes some)
fuzz|6 min|every target of tests/fuzz for 60 s from its seeds (FUZZ_SECONDS changes that)
packages|45 min|Debian packages, pkg-config, CMake, kportcc in bare Debian 12, 13 and Ubuntu (SYSTEMS, ROUTES take some)
machines|60 min|the small suite on aarch64, s390x (big-endian), armhf, i686 (32-bit) and on musl
memory|5 min|clang's memory sanitizer over what is not threaded
lines|1 min|lines of lib/ and ports/ that tests of the library run: at least 95 % (in CI)
coverage|8 min|lines of lib/ and ports/ that the suites small and mpi run: at least 95 %; branches of ports/
thread|40 min|ThreadSanitizer, suites small and full, the concurrency tests 20 times (THREAD_REPEAT changes that)
address|10 min|AddressSanitizer with leaks and UndefinedBehaviorSanitizer, suites small and full
END
}

# --- For the parts ---

# need COMMAND PACKAGE...: installs the packages if there is no such command.
need() {
    wanted=$1
    shift
    has "$wanted" || install_packages "$@" || return 69
    has "$wanted" || return 69
}

# tests_named NAME...: those of the ordinary build.
tests_named() {
    configure build
    compile build
    meson test -C build --no-rebuild --print-errorlogs -t 3 "$@"
}

# Counting what is run, by gcov and gcovr.

# configure_counting FOLDER OPTION...: counts are kept by threads together, and the child of a fork
# that leaves by _exit writes down first what it has run. Warnings are the other builds' matter: gcc 12
# has false ones where it counts and does not optimize.
configure_counting() {
    folder=$1
    shift
    configure "$folder" -Db_coverage=true -Dwerror=false "$@" \
        "-Dc_args=['-fprofile-update=atomic','-fno-early-inlining','-include','$PWD/tests/common/counted_exit.h']"
}

forget_counts() {
    find "$1" -name '*.gcda' -delete
}

# read_counts FOLDER [SOURCES]: fails if too few lines were run, or a branch in SOURCES is not explained.
# gcov works out some counts from others, which comes to less than nothing where a jump or a signal
# left a function: such lines of its report are passed over. With -j gcovr 5.2 may wait for ever.
read_counts() {
    need gcovr gcovr
    say "reading what was run in $1"
    gcovr --root . --object-directory "$1" --filter lib/ --filter ports/ --gcov-ignore-parse-errors \
        --exclude-unreachable-branches --exclude-throw-branches --json "$1/coverage.json" \
        "$1"/libkport.so.*.p >/dev/null
    python3 tools/verify/coverage.py "$1/coverage.json" "${COVERAGE_LINES:-95}" ${2:+"$2"}
}

# --- Running them ---

verify_row() {
    verify_parts | grep "^$1|"
}

verify_list() {
    verify_parts | while IFS='|' read -r name takes does; do
        printf '%-12s %8s  %s\n' "$name" "$takes" "$does"
    done
}

# Its own shell, and not in a condition: there the shell would go on after a failing command.
verify_part() {
    say "verify $1: $(verify_row "$1" | cut -d'|' -f3)"
    began=$(date +%s)
    set +e
    (
        set -e
        # shellcheck source=/dev/null
        . "tools/verify/$1.sh"
        "part_$1"
    )
    status=$?
    set -e
    case $status in
    0) outcome=passed ;;
    69) outcome='not to be had' ;;
    *) outcome=failed ;;
    esac
    [ "$status" -eq 0 ] || verify_status=1
    verify_table="$verify_table$(printf '%-12s %-14s %6d s' "$1" "$outcome" $(($(date +%s) - began)))
"
}

command_verify() {
    case ${1:-} in
    --list)
        verify_list
        return 0
        ;;
    -*)
        usage >&2
        return 2
        ;;
    esac
    for part; do
        if ! verify_row "$part" >/dev/null; then
            say "there is no part \"$part\"; there are $(verify_parts | cut -d'|' -f1 | paste -sd' ')"
            return 2
        fi
    done
    # shellcheck disable=SC2046 # one word a part
    [ $# -gt 0 ] || set -- $(verify_parts | cut -d'|' -f1)
    prepare
    verify_table='' verify_status=0
    for part; do
        verify_part "$part"
    done
    printf '%s' "$verify_table"
    return "$verify_status"
}
