/* A tree of communicators: each is split in two halves until one rank is left; on the way back, the
 * two halves of every communicator exchange their sums through an intercommunicator and merge
 * again. */
#include <mpi.h>
#include <stdio.h>

/* The sum of the values of a communicator's ranks, each multiplied by the depth of its leaf. */
static long long descend(MPI_Comm comm, int depth, long long value, int *deepest)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (size == 1) {
        *deepest = depth;
        return value * depth;
    }
    MPI_Comm half, between, merged;
    int upper = rank >= size / 2;
    MPI_Comm_split(comm, upper, rank, &half);
    long long sum = descend(half, depth + 1, value, deepest);
    MPI_Intercomm_create(half, 0, comm, upper ? 0 : size / 2, depth, &between);
    long long others = 0, all;
    MPI_Allreduce(&value, &others, 1, MPI_LONG_LONG, MPI_SUM, between); /* of the other half */
    MPI_Intercomm_merge(between, upper, &merged);
    MPI_Allreduce(&value, &all, 1, MPI_LONG_LONG, MPI_SUM, merged);
    long long own = 0;
    MPI_Allreduce(&value, &own, 1, MPI_LONG_LONG, MPI_SUM, half);
    if (own + others != all)
        MPI_Abort(MPI_COMM_WORLD, 3);
    int leader, most;
    MPI_Comm_rank(half, &leader);
    long long part = leader == 0 ? sum : 0, both;
    MPI_Allreduce(&part, &both, 1, MPI_LONG_LONG, MPI_SUM, merged);
    MPI_Allreduce(deepest, &most, 1, MPI_INT, MPI_MAX, merged);
    *deepest = most;
    MPI_Comm_free(&merged);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    return both;
}

int main(int argc, char **argv)
{
    int rank, size, deepest = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long long sum = descend(MPI_COMM_WORLD, 0, 3 * rank + 1, &deepest);
    if (rank == size - 1)
        printf("tree: depth %d, sum %lld\n", deepest, sum);
    MPI_Finalize();
    return 0;
}
