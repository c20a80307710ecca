# As coverage, in a minute, for CI: lines alone, compiled without optimization, of those small tests
# of the library that end soon. Only what they need is built. A share close to 95 % wants another test here: some
# lines run on some days only.
part_lines() {
    configure_counting build-lines -Doptimization=0 -Ddebug=false
    forget_counts build-lines
    meson test -C build-lines --print-errorlogs -t 5 \
        machine exchange groups failure mail lengths lengths_refused attach reduction round about \
        route persistent disagreement diagnosis survival trace-of-machines profile tuned tune \
        memory memory-services misuse stack stated check topology draw problem builder copy cost \
        faults orders ports wrap machine-on-fibers failure-on-fibers wrong-programs \
        wire-over-wire exchange-over-wire reduction-over-wire lengths-over-wire way wire-fails \
        watch-over-wire carrier-load register account reduction-order work own cache step \
        readers requests request-failures progress message message_errors matching \
        layout_messages cpus nodes neighbours layout layout_lengths two dump trace-requests \
        account_changed message-over-wire message_errors-over-wire layout_messages-over-wire \
        requests-over-wire >&2
    read_counts build-lines
}
