/* Rank 0 passes the barrier before it sends; rank 1 receives before it comes to the barrier.
 *
 * ranks: 2
 * goal: deadlock
 * names: R0 | R1 | MPI_Barrier | MPI_Recv | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 5;
    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD); /* A */
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
