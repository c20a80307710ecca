/* A request of a collective may not be freed while it is active.
 *
 * ranks: 2
 * goal: request
 * names: R0 | MPI_Request_free | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    MPI_Request request;
    MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    if (rank == 0)
        MPI_Request_free(&request); /* A */
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
