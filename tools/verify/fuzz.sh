# libFuzzer on every target of tests/fuzz, from its seeds, with address and undefined-behaviour
# sanitizers. What it finds lies in build-fuzz/found/ and is tried again by
# `build-fuzz/tests/fuzz/fuzz_NAME FILE`; once it is mended it becomes a seed.
part_fuzz() {
    need clang clang
    CC=clang configure build-fuzz -Dbuildtype=debugoptimized -Dfuzzing=true -Db_lundef=false \
        -Db_sanitize=address,undefined \
        "-Dc_args=['-fsanitize=fuzzer-no-link','-fno-sanitize-recover=undefined']"
    CC=clang compile build-fuzz fuzz
    # Memory that a program asks for and never touches is not touched by the sanitizer either, if it is
    # refused: 2 GB, of which an eighth would be.
    export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:strict_string_checks=1:allocator_may_return_null=1:max_allocation_size_mb=2000}"
    failed='' seconds=${FUZZ_SECONDS:-60}
    mkdir -p build-fuzz/found
    for folder in tests/fuzz/seeds/*/; do
        name=$(basename "$folder")
        corpus=build-fuzz/corpus/$name longest=1000
        [ "$name" != msccl ] || longest=4000 # a schedule in XML is long
        mkdir -p "$corpus"
        say "verify fuzz: $name, $seconds s"
        # What a target prints is not looked at, but for what it finds.
        steady_addresses "build-fuzz/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=20 \
            -rss_limit_mb=3000 -malloc_limit_mb=1000000 -max_len="$longest" -print_final_stats=1 \
            -artifact_prefix="build-fuzz/found/$name-" "$corpus" "$folder" \
            >"build-fuzz/found/$name.log" 2>&1 || failed="$failed $name"
        grep -a -E '^wrong|^SUMMARY|^Done|runtime error|Test unit written' \
            "build-fuzz/found/$name.log" >&2 || true
    done
    [ -z "$failed" ] || say "verify fuzz: failed:$failed (build-fuzz/found/)"
    [ -z "$failed" ]
}
