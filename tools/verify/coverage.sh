# What the suites small and full run of lib/ and ports/, by gcov and gcovr: at least 95 % of the
# lines, or COVERAGE_LINES. Every branch of ports/ that was not taken is listed in
# build-coverage/branches.txt; one that no test can take says why, in a comment with
# GCOVR_EXCL_BR_LINE on its line (or GCOVR_EXCL_START ... STOP), and does not count.
#
# COVERAGE_SUITES="small" takes less.
part_coverage() {
    need gcovr gcovr
    configure build-coverage -Dbuildtype=debugoptimized -Db_coverage=true \
        -Dc_args=-fprofile-update=atomic
    compile build-coverage
    find build-coverage -name '*.gcda' -delete
    suites=''
    for suite in ${COVERAGE_SUITES:-small full}; do
        suites="$suites --suite $suite"
    done
    # shellcheck disable=SC2086 # one word an option
    meson test -C build-coverage --no-rebuild --print-errorlogs -t 5 $suites
    say "reading what was run"
    gcovr --root . --object-directory build-coverage --filter lib/ --filter ports/ \
        --exclude-unreachable-branches --exclude-throw-branches --json build-coverage/coverage.json \
        build-coverage/libkport.so.*.p >/dev/null
    python3 tools/verify/coverage.py build-coverage/coverage.json \
        build-coverage/branches.txt "${COVERAGE_LINES:-95}"
}
