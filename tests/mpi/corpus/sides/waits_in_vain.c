/* Rank 2 waits for a message of rank 1 of the other side, which sends none.
 *
 * ranks: 4
 * goal: deadlock
 * names: R2 | MPI_Recv | {A} | from rank 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    MPI_Comm half, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &both);
    if (rank == 2)
        MPI_Recv(&x, 1, MPI_INT, 1, 0, both, MPI_STATUS_IGNORE); /* A */
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
