/* A persistent broadcast has another root on each rank.
 *
 * ranks: 2
 * goal: mismatch
 * names: {A} | MPI_Bcast_init
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, value = 0;
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast_init(&value, 1, MPI_INT, rank, MPI_COMM_WORLD, MPI_INFO_NULL, &request); /* A */
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
