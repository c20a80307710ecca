# ThreadSanitizer, many times over: what it finds depends on who comes when.
part_thread() {
    export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1:second_deadlock_stack=1}"
    configure_thread
    sanitized build-thread --no-suite serial --repeat "${THREAD_REPEAT:-20}"
}
