/* Rank 2 does not come to the barrier.
 *
 * ranks: 3
 * goal: deadlock/mismatch
 * names: R2 | MPI_Barrier | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 2)
        MPI_Barrier(MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
