# For the parts lines and coverage: by gcov and gcovr.

# configure_counting FOLDER OPTION...: counts are kept by threads together, and the child of a fork
# that leaves by _exit writes down first what it has run. Warnings are the other builds' matter: gcc 12
# has false ones where it counts and does not optimize.
configure_counting() {
    folder=$1
    shift
    configure "$folder" -Db_coverage=true -Dwerror=false "$@" \
        "-Dc_args=['-fprofile-update=atomic','-fno-early-inlining','-include','$PWD/tests/counted_exit.h']"
}

forget_counts() {
    find "$1" -name '*.gcda' -delete
}

# read_counts FOLDER [EXPLANATIONS]: fails if too few lines were run, or a branch is not explained.
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
