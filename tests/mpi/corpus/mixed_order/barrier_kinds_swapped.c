/* Rank 0 starts its barrier before the one that waits, rank 1 after it.
 *
 * ranks: 2
 * goal: mismatch/deadlock
 * names: R0 | R1 | MPI_Ibarrier | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    if (rank == 0) {
        MPI_Ibarrier(MPI_COMM_WORLD, &request); /* A */
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Ibarrier(MPI_COMM_WORLD, &request); /* B */
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
