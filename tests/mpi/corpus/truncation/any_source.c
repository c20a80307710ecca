/* One of two senders sends more than the receiver expects.
 *
 * ranks: 3
 * goal: truncation
 * names: R0 | R2 | MPI_Recv | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[2] = {0};
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Recv(x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    } else
        MPI_Send(x, rank, MPI_INT, 0, 0, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
