/* Rank 0 sends more than rank 1 takes in the exchange.
 *
 * ranks: 2
 * goal: truncation
 * names: R1 | MPI_Sendrecv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[4] = {0}, y[4];
    MPI_Sendrecv(x, rank == 0 ? 4 : 1, MPI_INT, 1 - rank, 0, y, 1, MPI_INT, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    MPI_Finalize();
    return 0;
}
