/* MPI_Request_get_status has said that a receive and a reduction have ended. So their buffers have
 * the data, and belong to the program again before the waits.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, received = -1, sum = -1, one = 1, flag = 0;
    MPI_Request request, send;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&received, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &send);
    while (!flag)
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    if (received != 1 - rank)
        MPI_Abort(MPI_COMM_WORLD, 1);
    received = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    for (flag = 0; !flag;)
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    if (sum != 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    sum = one = 8;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (received != 7 || sum != 8)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return 0;
}
