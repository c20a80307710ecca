/* Rank 0 sends in the world, rank 1 receives in a duplicate of it.
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
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, copy, MPI_STATUS_IGNORE); /* B */
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
