/* Some of the list's requests are MPI_REQUEST_NULL.
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
    int x = rank, y[2] = {-1, -1}, other = 1 - rank;
    MPI_Status statuses[4];
    MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                               MPI_REQUEST_NULL};
    MPI_Irecv(&y[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, statuses);
    if (y[0] != other || statuses[1].MPI_SOURCE != other)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
