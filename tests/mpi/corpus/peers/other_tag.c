/* The message has tag 1, the receive wants tag 2.
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
    int x = 1;
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* A */
    else
        MPI_Recv(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
    MPI_Finalize();
    return 0;
}
