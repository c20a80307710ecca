/* Rank 0 exits without MPI_Finalize while rank 1 waits for it.
 *
 * ranks: 2
 * goal: lifecycle/deadlock
 * names: R0 | exit | MPI_Finalize
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x;
    if (rank == 0)
        exit(0);
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
