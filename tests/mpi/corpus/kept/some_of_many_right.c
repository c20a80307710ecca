/* MPI_Waitsome gets null and inactive requests among the active ones.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int y[3], which[5], count, got = 0;
    MPI_Request requests[5] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                               MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (rank == 0) {
        MPI_Recv_init(y, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &requests[4]);
        for (int i = 0; i < 3; i++)
            MPI_Irecv(&y[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
        while (got < 3) {
            MPI_Waitsome(5, requests, &count, which, MPI_STATUSES_IGNORE);
            got += count;
        }
        MPI_Start(&requests[4]);
        MPI_Wait(&requests[4], MPI_STATUS_IGNORE);
        MPI_Request_free(&requests[4]);
    } else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
