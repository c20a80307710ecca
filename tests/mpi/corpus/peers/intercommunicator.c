/* In a communicator of two groups, ranks are those of the other group; rank 0 here means itself.
 *
 * ranks: 4
 * goal: deadlock
 * names: R0 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 7, &between);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, 0, between, MPI_STATUS_IGNORE); /* A */
    else if (rank == 1)
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, between); /* B */
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
