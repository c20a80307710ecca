# ThreadSanitizer: the suites small and full once, of which tools/dev sanitize has a part, then the tests
# of ports/, of how collectives use them, and of the fibers many times over, because what is found
# depends on who comes when.
part_thread() {
    export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1:second_deadlock_stack=1}"
    configure_thread
    compile build-thread
    sanitized build-thread --suite small --suite full --no-suite serial
    litmus=$(cd tests/models/litmus && for file in *.c; do echo "litmus-${file%.c}"; done)
    # shellcheck disable=SC2086 # one word a test
    steady_addresses meson test -C build-thread --no-rebuild --print-errorlogs -t 10 \
        --repeat "${THREAD_REPEAT:-20}" attach bits diagnosis differential \
        disagreement dump exchange failure failure-on-fibers fiber groups lengths lengths_refused \
        machine machine-on-fibers mail about message message-on-fibers message_errors mixture neighbours orders persistent reduction roots round \
        route rows survival together two \
        wrap attach-pinned disagreement-pinned failure-pinned groups-pinned round-pinned $litmus
}
