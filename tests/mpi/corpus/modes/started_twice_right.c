/* Persistent requests are started again after each end, and freed at last.
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
    int x, y, other = 1 - rank;
    MPI_Request requests[2];
    MPI_Send_init(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&y, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 4; i++) {
        x = 10 * rank + i;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (y != 10 * other + i || requests[0] == MPI_REQUEST_NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Finalize();
    return 0;
}
