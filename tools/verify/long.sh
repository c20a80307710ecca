# What the suite long holds: more sizes of what CI has; schedules of every size, counted one by one; a
# hundred thousand fibers; figures drawn; the processor time of kport run as n grows; the commands that
# announce a time, beside a clock.
part_long() {
    configure build
    compile build
    meson test -C build --no-rebuild --print-errorlogs --suite long
}
