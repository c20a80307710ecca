# tests/ports/test_memory.c: each fails once; the error is named, nothing is left behind.
part_allocations() {
    tests_named memory memory-stress memory-services
}
