/* Rank 2 leaves out a broadcast between two sides, in which it has nothing to send.
 *
 * ranks: 4
 * goal: mismatch/deadlock
 * names: R2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1;
    MPI_Comm half, between;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &between);
    if (rank % 2 == 1)
        MPI_Bcast(&value, 1, MPI_INT, 0, between);
    else if (rank == 0)
        MPI_Bcast(&value, 1, MPI_INT, MPI_ROOT, between);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
