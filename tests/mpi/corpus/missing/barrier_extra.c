/* Rank 0 makes one barrier more than the others.
 *
 * ranks: 3
 * goal: deadlock/mismatch
 * names: R0 | MPI_Barrier | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
