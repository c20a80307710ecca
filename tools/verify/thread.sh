# ThreadSanitizer, many times over: what it finds depends on who comes when. The suite small has every
# test of what is concurrent; full has the same ones with more processors, once.
part_thread() {
    export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1:second_deadlock_stack=1}"
    configure_thread
    compile build-thread
    say "tests under ThreadSanitizer, small ${THREAD_REPEAT:-20} times, full once"
    steady_addresses meson test -C build-thread --no-rebuild --print-errorlogs -t 10 \
        --suite full --no-suite serial
    steady_addresses meson test -C build-thread --no-rebuild --print-errorlogs -t 10 \
        --suite small --no-suite serial --repeat "${THREAD_REPEAT:-20}"
}
