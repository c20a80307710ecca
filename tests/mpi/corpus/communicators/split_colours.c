/* Rank 2 gives another colour and then waits for a communicator that it is not in.
 *
 * ranks: 4
 * goal: deadlock
 * names: R2 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, mine;
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2 ? 1 : 0, rank, &part);
    MPI_Comm_rank(part, &mine);
    if (rank == 2)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, part, MPI_STATUS_IGNORE); /* A */
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
