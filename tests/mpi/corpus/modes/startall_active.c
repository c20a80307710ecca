/* One of two persistent requests is active already when both are started.
 *
 * ranks: 2
 * goal: request
 * names: MPI_Startall | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y, other = 1 - rank;
    MPI_Request requests[2];
    MPI_Recv_init(&y, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Start(&requests[0]);
    MPI_Startall(2, requests); /* A */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Finalize();
    return 0;
}
