# What the suite long holds: schedules of every size, counted one by one.
part_schedules() {
    configure build
    compile build
    meson test -C build --no-rebuild --print-errorlogs --suite long
}
