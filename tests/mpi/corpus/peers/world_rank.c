/* In the communicator of the odd ranks, a rank of the world is used where its own is wanted.
 *
 * ranks: 4
 * goal: deadlock
 * names: R1 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, mine;
    MPI_Comm odd;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &odd);
    MPI_Comm_rank(odd, &mine);
    if (rank == 3)
        MPI_Send(&x, 1, MPI_INT, 0, 0, odd);
    else if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, odd, MPI_STATUS_IGNORE); /* A */
    MPI_Comm_free(&odd);
    MPI_Finalize();
    return 0;
}
