# The machine's small tests without each of the special cases (ports/without.h), and first without
# all of them: what is left out may cost time and nothing else. WITHOUT="pair looks" takes some. One
# folder serves all, so that what does not differ is compiled once.

special_cases() {
    sed -n 's/^    KP_CASE_\([A-Z0-9_]*\),.*/\1/p' ports/without.h | tr 'A-Z_' 'a-z-'
}

# Of those of tests/meson.build, what makes machines and looks at what they do; and of copying.
tests_without() {
    echo collective collective-mailboxes barrier-count ports bits together step rows tuned reduction \
        persistent own round disagreement diagnosis about two roots differential mixture wrap misuse \
        survival memory neighbours attach exchange failure groups lengths lengths_refused machine \
        mail route copy wrong-programs
    for name in attach collective disagreement exchange failure groups lengths machine round; do
        echo "$name-pinned"
    done
    for name in collective disagreement exchange failure groups lengths machine neighbours own \
        persistent reduction roots round route; do
        echo "$name-on-fibers"
    done
}

# Builds what the tests need, and no more.
part_without() {
    failed=''
    all=$(special_cases | paste -sd,)
    for names in ${WITHOUT:-$all $(special_cases)}; do
        say "verify without: $names"
        # shellcheck disable=SC2046 # one word a test
        configure build-without -Ddebug=false "-Dwithout=$names" &&
            meson test -C build-without --print-errorlogs -t 5 $(tests_without) >&2 ||
            failed="$failed $names"
    done
    [ -z "$failed" ] || say "verify without: failed:$failed"
    [ -z "$failed" ]
}
