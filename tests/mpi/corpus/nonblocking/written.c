/* The root changes what it broadcasts before the call has ended.
 *
 * ranks: 3
 * goal: buffer
 * names: R0 | MPI_Ibcast | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    MPI_Request request;
    MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &request); /* A */
    if (rank == 0)
        x = 2;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
