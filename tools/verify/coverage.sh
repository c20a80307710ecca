# What the suites small and mpi run of lib/ and ports/: at least 95 % of the lines, or COVERAGE_LINES. Every
# branch of ports/ that was not taken is explained by a mark in the source, and every mark has such a
# branch. coverage.py says what a mark is.
part_coverage() {
    configure_counting build-coverage -Dbuildtype=debugoptimized -Dmpi=auto
    compile build-coverage
    forget_counts build-coverage
    meson test -C build-coverage --no-rebuild --print-errorlogs -t 5 --suite small --suite mpi
    read_counts build-coverage ports
}
