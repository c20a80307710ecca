/* The root believes that it need not take part in its own broadcast.
 *
 * ranks: 3
 * goal: deadlock/mismatch
 * names: R0 | MPI_Bcast | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 4;
    if (rank != 0)
        MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
