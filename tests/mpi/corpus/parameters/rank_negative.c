/* The last rank but one of one is no rank.
 *
 * ranks: 2
 * goal: parameter
 * names: R0 | MPI_Recv | -7 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, rank - 7, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    else
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
