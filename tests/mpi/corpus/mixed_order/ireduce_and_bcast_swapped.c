/* Rank 2 starts the reduction after the broadcast, the others before it.
 *
 * ranks: 3
 * goal: mismatch/deadlock
 * names: R2 | MPI_Iallreduce | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, y = rank, z;
    MPI_Request request;
    if (rank < 2)
        MPI_Iallreduce(&y, &z, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request); /* A */
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Iallreduce(&y, &z, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request); /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
