/* Rank 0 starts the barrier before the broadcast, the others after it.
 *
 * ranks: 3
 * goal: mismatch/deadlock
 * names: R0 | MPI_Ibarrier | MPI_Ibcast | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]); /* A */
        MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
    } else {
        MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]); /* B */
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
