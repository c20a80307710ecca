/* The ranks initialise two persistent collectives in different orders.
 *
 * ranks: 2
 * goal: mismatch
 * names: {A} | {B} | MPI_Bcast_init | MPI_Allreduce_init
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, sum;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        if (i == rank)
            MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[0]); /* A */
        else
            MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                               &requests[1]); /* B */
    }
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return MPI_Finalize();
}
