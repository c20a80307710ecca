/* Of two tags only one is received.
 *
 * ranks: 2
 * goal: unmatched/deadlock
 * names: R1 | tag | 8 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 1) {
        MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
        MPI_Send(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD); /* A */
    } else
        MPI_Recv(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
