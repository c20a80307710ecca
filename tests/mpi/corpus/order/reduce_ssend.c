/* The root waits for a reduction; rank 1 first sends to the root, synchronously.
 *
 * ranks: 3
 * goal: deadlock
 * names: R0 | R1 | MPI_Reduce | MPI_Ssend | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, sum = 0, y;
    if (rank == 1)
        MPI_Ssend(&x, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);          /* B */
    MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* A */
    if (rank == 0)
        MPI_Recv(&y, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
