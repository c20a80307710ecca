# Programs of MPI, which kportcc compiles and kportrun runs: beside the same under Open MPI, for 2 to 64
# ranks; and with messages of more than 2 GiB, which need 16 GiB of memory.
# shellcheck shell=sh

part_programs() {
    need mpicc libopenmpi-dev openmpi-bin
    configure build
    compile build
    python3 tests/mpi/programs/run.py --tools build/tools --ranks "${RANKS:-2,3,5,8,16,33,64}"
    python3 tests/mpi/programs/run.py --tools build/tools --ranks 2,6 --alone -- --strict
    memory=$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)
    if [ "$memory" -lt 16 ]; then
        say "messages of more than 2 GiB are left out: $memory GiB of memory are free"
        return
    fi
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    build/tools/kportcc -O2 -o "$work/huge" tests/mpi/huge/huge.c
    for what in send isend types bcast allreduce scan allgather alltoallv; do
        for carrier in fibers threads; do
            said=$(build/tools/kportrun -n 2 --carrier "$carrier" --unchecked buffers "$work/huge" "$what")
            say "$carrier: $said" | tr '\n' ' '
            [ "$said" = "$(printf '%s right\n%s right' "$what" "$what")" ]
        done
    done
}
