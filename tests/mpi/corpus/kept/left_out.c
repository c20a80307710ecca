/* Rank 1 does not start the persistent barrier.
 *
 * ranks: 3
 * goal: deadlock/mismatch
 * names: R1 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank != 1) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* A */
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
