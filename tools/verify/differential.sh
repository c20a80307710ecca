# A failure tells its seed and is shrunk to the smallest sequence that fails.
part_differential() {
    tests_named differential differential-stress
}
