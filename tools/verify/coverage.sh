# What the suite small runs of lib/ and ports/, by gcov and gcovr: at least 95 % of the lines, or
# COVERAGE_LINES. Every branch of ports/ that was not taken is explained in tools/verify/branches.txt,
# and every explanation has such a branch. CI runs the suite here, and not in `build` too.
part_coverage() {
    configure build-coverage -Dbuildtype=debugoptimized -Db_coverage=true \
        "-Dc_args=['-fprofile-update=atomic','-fno-early-inlining','-include','$PWD/tests/counted_exit.h']"
    compile build-coverage
    find build-coverage -name '*.gcda' -delete
    meson test -C build-coverage --no-rebuild --print-errorlogs -t 5 --suite small
    need gcovr gcovr
    say "reading what was run"
    gcovr --root . --object-directory build-coverage --filter lib/ --filter ports/ -j 2 \
        --exclude-unreachable-branches --exclude-throw-branches --json build-coverage/coverage.json \
        build-coverage/libkport.so.*.p >/dev/null
    python3 tools/verify/coverage.py build-coverage/coverage.json tools/verify/branches.txt \
        "${COVERAGE_LINES:-95}"
}
