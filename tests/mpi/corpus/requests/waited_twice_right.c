/* A request that has ended is MPI_REQUEST_NULL, and waiting for that returns at once.
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
    MPI_Status status;
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Wait(&request, &status);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (!flag || status.MPI_SOURCE != MPI_ANY_SOURCE)
            MPI_Abort(MPI_COMM_WORLD, 1);
    } else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
