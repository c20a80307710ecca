# What tests run of lib/ and ports/, by gcov and gcovr: at least 95 % of the lines, or
# COVERAGE_LINES. Sourced by tools/dev too, as tools/dev sanitize counts lines, and so does CI.

# Between the brackets of a list of Meson's.
counting_options() {
    printf "'-fprofile-update=atomic','-fno-early-inlining','-include','%s/tests/counted_exit.h'" "$PWD"
}

forget_counts() {
    find "$1" -name '*.gcda' -delete
}

read_counts() {
    folder=$1
    need gcovr gcovr || return
    say "reading what was run in $folder"
    gcovr --root . --object-directory "$folder" --filter lib/ --filter ports/ -j 2 \
        --exclude-unreachable-branches --exclude-throw-branches --json "$folder/coverage.json" \
        "$folder"/libkport.so.*.p >/dev/null
}

# lines_run FOLDER: fails if they are too few
lines_run() {
    read_counts "$1" && python3 tools/verify/coverage.py "$1/coverage.json" "${COVERAGE_LINES:-95}"
}

# Every branch of ports/ too that was not taken is explained in tools/verify/branches.txt, and every
# explanation has such a branch: without sanitizers, which add branches of their own.
part_coverage() {
    configure build-coverage -Dbuildtype=debugoptimized -Db_coverage=true \
        "-Dc_args=[$(counting_options)]"
    compile build-coverage
    forget_counts build-coverage
    meson test -C build-coverage --no-rebuild --print-errorlogs -t 5 --suite small
    read_counts build-coverage
    python3 tools/verify/coverage.py build-coverage/coverage.json "${COVERAGE_LINES:-95}" \
        tools/verify/branches.txt
}
