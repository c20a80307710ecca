# Ends with status 1 and the seed at the first fault that is not named, byte that is wrong, hang or
# leak.
part_soak() {
    configure build
    compile build tools/kport
    build/tools/kport soak --operations "${SOAK_OPERATIONS:-1000000}" \
        --faults "${SOAK_FAULTS:-10000}" --json
}
