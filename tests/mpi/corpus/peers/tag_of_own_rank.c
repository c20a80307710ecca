/* Each side uses its own rank as the tag.
 *
 * ranks: 2
 * goal: deadlock
 * names: R0 | R1 | MPI_Recv | MPI_Ssend | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 0;
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, rank, MPI_COMM_WORLD); /* A */
    else
        MPI_Recv(&x, 1, MPI_INT, 0, rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
    MPI_Finalize();
    return 0;
}
