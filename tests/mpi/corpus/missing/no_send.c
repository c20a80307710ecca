/* Rank 0 waits for a message that rank 1 never sends.
 *
 * ranks: 2
 * goal: deadlock
 * names: R0 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x;
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    MPI_Finalize();
    return 0;
}
