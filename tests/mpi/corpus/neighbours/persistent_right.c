/* A persistent exchange with neighbours is started three times beside a message.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[1] = {3}, periods[1] = {1}, x[2] = {rank, rank}, y[2], z;
    MPI_Comm ring;
    MPI_Request requests[3];
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Neighbor_alltoall_init(x, 1, MPI_INT, y, 1, MPI_INT, ring, MPI_INFO_NULL, &requests[0]);
    MPI_Recv_init(&z, 1, MPI_INT, (rank + 1) % 3, 7, ring, &requests[1]);
    MPI_Send_init(&rank, 1, MPI_INT, (rank + 2) % 3, 7, ring, &requests[2]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(3, requests);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        if (z != (rank + 1) % 3 || y[1] != z)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
