/* A receive is cancelled, but nobody completes it.
 *
 * ranks: 2
 * goal: request/leak
 * names: R0 | request | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x;
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* A */
        MPI_Cancel(&request);
    }
    MPI_Finalize();
    return 0;
}
