/* Persistent collectives are matched by the order of their initialisation, so each rank may start
 * them in an order of its own.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, first[2] = {0, 0}, second[2] = {0, 0}, sum = 0;
    MPI_Request requests[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast_init(first, 2, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Bcast_init(second, 2, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[2]);
    for (int turn = 0; turn < 4; turn++) {
        if (rank == 0) {
            first[0] = turn;
            second[0] = -turn;
        }
        for (int i = 0; i < 3; i++)
            MPI_Start(&requests[(rank + turn + i) % 3]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        if (first[0] != turn || second[0] != -turn || sum != 3)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
    return MPI_Finalize();
}
