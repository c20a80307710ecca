#!/bin/sh
# Starts a program in several processes of an MPI.
#
# usage: under_mpi.sh openmpi|mpich PROCESSES PROGRAM CARRIER.so [ARGUMENT...]
#
# PROCESSES is 0 to start the program without mpirun. Ends with status 77, which Meson counts as
# skipped, if there is no such MPI or no carrier for it. The processes may be more than the cores,
# and root may start them. They are ended after UNDER_MPI_SECONDS.
set -eu
mpi=$1
processes=$2
shift 2
if ! command -v "mpirun.$mpi" >/dev/null 2>&1; then
    echo "skipped: there is no mpirun.$mpi"
    exit 77
fi
if [ "$2" = no-carrier ]; then
    echo "skipped: this build has no carrier for $mpi"
    exit 77
fi
limit="timeout -k 5 ${UNDER_MPI_SECONDS:-400}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_hwloc_base_binding_policy=none
if [ "$processes" -eq 0 ]; then
    exec $limit "$@"
fi
exec $limit "mpirun.$mpi" -n "$processes" "$@"
