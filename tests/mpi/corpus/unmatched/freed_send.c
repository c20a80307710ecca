/* A message is sent by a request that is freed, and never received.
 *
 * ranks: 2
 * goal: unmatched/deadlock
 * names: R0 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static int x = 1;
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* A */
        MPI_Request_free(&request);
    }
    MPI_Finalize();
    return 0;
}
