# AddressSanitizer with leaks, and UndefinedBehaviorSanitizer; of all tests; tools/dev sanitize has a part.
part_address() {
    export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:strict_string_checks=1}"
    export UBSAN_OPTIONS="${UBSAN_OPTIONS:-halt_on_error=1:print_stacktrace=1}"
    configure_address
    sanitized build-address --suite small --suite full
}
