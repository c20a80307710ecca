/* A duplication that waits does not match one that does not.
 *
 * ranks: 2
 * goal: mismatch/deadlock
 * names: R0 | R1 | MPI_Comm_idup | MPI_Comm_dup | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm copy;
    MPI_Request request;
    if (rank == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* A */
    else {
        MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request); /* B */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
