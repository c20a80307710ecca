# What the suite long holds: schedules of every size, counted one by one; a hundred thousand fibers;
# figures drawn.
part_long() {
    configure build
    compile build
    meson test -C build --no-rebuild --print-errorlogs --suite long
}
