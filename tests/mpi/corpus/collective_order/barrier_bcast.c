/* Rank 1 makes the barrier and the broadcast in the other order.
 *
 * ranks: 3
 * goal: mismatch
 * names: R1 | MPI_Barrier | MPI_Bcast | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 1) {
        MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); /* A */
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD); /* B */
        MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
