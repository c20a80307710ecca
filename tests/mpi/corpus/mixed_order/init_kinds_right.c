/* A persistent collective may be started before a blocking one at one rank, and after it at
 * another: only the order of the initialisations counts.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, y = 2;
    MPI_Request request;
    MPI_Bcast_init(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank == 0) {
        MPI_Start(&request);
        MPI_Bcast(&y, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        MPI_Bcast(&y, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
