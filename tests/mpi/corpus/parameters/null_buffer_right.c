/* Nothing may be sent from nowhere, and ranks that are not the root may receive nowhere.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all[3];
    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gather(&rank, 1, MPI_INT, rank == 0 ? all : NULL, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Sendrecv(NULL, 0, MPI_INT, (rank + 1) % 3, 0, NULL, 0, MPI_INT, (rank + 2) % 3, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0 && all[2] != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
