/* A collective call cannot be cancelled.
 *
 * ranks: 2
 * goal: request/parameter
 * names: MPI_Cancel | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    MPI_Request request;
    MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request); /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
