/* Waiting for a persistent request that was not started returns at once.
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
    int x = 1, flag;
    MPI_Request request, sent;
    MPI_Status status;
    MPI_Recv_init(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (!flag || status.MPI_SOURCE != MPI_ANY_SOURCE || request == MPI_REQUEST_NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Start(&request);
    MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &sent);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
