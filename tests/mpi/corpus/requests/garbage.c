/* A request that was never started is waited for.
 *
 * ranks: 2
 * goal: request/parameter
 * names: R0 | MPI_Wait | {A}
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    memset(&request, 0x5a, sizeof request);
    if (rank == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* A */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
