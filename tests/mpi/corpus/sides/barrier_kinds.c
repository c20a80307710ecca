/* A barrier of an intercommunicator that waits does not match one that is started.
 *
 * ranks: 2
 * goal: mismatch/deadlock
 * names: R0 | R1 | MPI_Barrier | MPI_Ibarrier | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm both;
    MPI_Request request;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 1, &both);
    if (rank == 0)
        MPI_Barrier(both); /* A */
    else {
        MPI_Ibarrier(both, &request); /* B */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&both);
    MPI_Finalize();
    return 0;
}
