/* The sender offers tag 1 first, the receiver wants tag 2 first.
 *
 * ranks: 2
 * goal: deadlock
 * names: R0 | R1 | MPI_Ssend | MPI_Recv | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, y = 2;
    if (rank == 0) {
        MPI_Ssend(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* A */
        MPI_Ssend(&y, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&y, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
        MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
