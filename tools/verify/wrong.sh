# The corpus of tests/wrong.
part_wrong() {
    tests_named wrong-programs right-programs random-programs wrong-programs-stress \
        random-programs-stress
}
