/* Persistent collectives of several kinds go on while the rank tests, and one is never started.
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
    int x = rank, y, z = rank, done = 0;
    MPI_Request requests[3];
    MPI_Exscan_init(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Bcast_init(&z, 1, MPI_INT, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
    MPI_Start(&requests[rank % 2]);
    MPI_Start(&requests[1 - rank % 2]);
    while (!done)
        MPI_Testall(3, requests, &done, MPI_STATUSES_IGNORE);
    if (z != 3 || (rank == 3 && y != 3))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Start(&requests[2]);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
    MPI_Finalize();
    return 0;
}
