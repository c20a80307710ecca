/* A receive is freed after MPI_Request_get_status has said that it has ended.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, value = 5, flag = 0;
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        value = 0;
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        while (!flag)
            MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
        if (value++ != 5)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
