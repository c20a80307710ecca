/* One rank leaves out a non-blocking broadcast, and no rank needs its data.
 *
 * ranks: 3
 * goal: mismatch/deadlock
 * names: R2 | MPI_Ibcast | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    MPI_Request request;
    if (rank != 2) {
        MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &request); /* A */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
