/* The root sends a message before it broadcasts; its receiver waits for the broadcast first.
 *
 * ranks: 3
 * goal: deadlock
 * names: R0 | R1 | MPI_Ssend | MPI_Bcast | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, y = 2;
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, 4, MPI_COMM_WORLD); /* A */
    MPI_Bcast(&y, 1, MPI_INT, 0, MPI_COMM_WORLD);        /* B */
    if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
