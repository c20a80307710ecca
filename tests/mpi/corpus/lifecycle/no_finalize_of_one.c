/* Rank 1 returns without MPI_Finalize.
 *
 * ranks: 3
 * goal: lifecycle/deadlock
 * names: R1 | MPI_Finalize
 */
#include <mpi.h>

int main(void)
{
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        return 0;
    MPI_Finalize();
    return 0;
}
