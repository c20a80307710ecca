/* Rank 0 sends before a barrier, rank 1 receives after it.
 *
 * ranks: 2
 * goal: deadlock/buffering
 * names: R0 | R1 | MPI_Send | MPI_Barrier | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* A */
    MPI_Barrier(MPI_COMM_WORLD);                        /* B */
    if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
