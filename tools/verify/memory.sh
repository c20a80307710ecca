# clang's memory sanitizer, which finds what is read before it was written. All code has to be built
# with it; cmocka and jansson are not, so no JSON is written here. What runs on threads is left to the
# other sanitizers.
part_memory() {
    need clang clang
    CC=clang configure build-memory -Dbuildtype=debugoptimized -Db_sanitize=memory -Db_lundef=false \
        "-Dc_args=['-fno-omit-frame-pointer','-fno-sanitize-recover=memory']"
    tests='builder check cost draw faults hypercube one_to_one problem symmetry topology tune'
    programs='tools/kport tests/fuzz/fuzz_problem tests/fuzz/fuzz_route'
    for test in $tests; do
        programs="$programs tests/test_$test"
    done
    # shellcheck disable=SC2086 # one word a program
    CC=clang compile build-memory $programs
    # shellcheck disable=SC2086 # one word a test
    meson test -C build-memory --no-rebuild --print-errorlogs -t 20 $tests fuzz-problem fuzz-route
    for command in list 'cost index:n=64,k=4,b=256' 'cost allreduce:n=27,k=2,count=10' \
        'check concat:n=16,k=3,b=5' 'check one-to-one:n=16,k=4,b=64,alg=torus --on torus' \
        'check --all --max-n 6' 'show index:n=8,k=2,b=4' 'show indexv:n=4,k=1,b=9' 'bounds 64 4 256' \
        'tables --n 16 --words 1000' 'route --n 8 --h 4,8 --trials 2' '--version' 'run --help'; do
        say "verify memory: kport $command"
        # shellcheck disable=SC2086 # one word an argument
        build-memory/tools/kport $command >/dev/null
    done
}
