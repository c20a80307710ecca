# The small suite with the portable twins of what Linux and its libc have beyond POSIX: a build that
# cannot see any of that, and with it each way of switching between fibers; and a build for each twin
# alone, which runs what concerns it.

# name of the build | what it switches off | tests, or none for the small suite
twin_builds() {
    cat <<'END'
posix|-Dextensions=false|
ucontext|-Dextensions=false -Dfibers=ucontext|
no-fibers|-Dextensions=false -Dfibers=none|
condition-variables|-Dwaiting=condition-variables|ports failure attach mail machine fiber
no-affinity|-Daffinity=none|ports machine command-line
malloc-stacks|-Dstacks=malloc|stack fiber command-line
END
}

part_twins() {
    failed=''
    # shellcheck disable=SC2086 # one word an option, or a test
    while IFS='|' read -r name options tests <&3; do
        say "verify twins: $name"
        configure "build-twin-$name" $options && compile "build-twin-$name" &&
            meson test -C "build-twin-$name" --no-rebuild --print-errorlogs -t 3 \
                ${tests:---suite small} || failed="$failed $name"
    done 3<<END
$(twin_builds)
END
    [ -z "$failed" ] || say "verify twins: failed:$failed"
    [ -z "$failed" ]
}
