/* Rank 1 leaves its half of the exchange out.
 *
 * ranks: 2
 * goal: deadlock
 * names: R0 | MPI_Sendrecv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, y;
    if (rank == 0)
        MPI_Sendrecv(&x, 1, MPI_INT, 1, 0, &y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE); /* A */
    MPI_Finalize();
    return 0;
}
