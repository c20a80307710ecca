/* Rank 2 takes itself for the root.
 *
 * ranks: 3
 * goal: mismatch
 * names: R2 | MPI_Bcast | root | {A} | root differs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    MPI_Bcast(&x, 1, MPI_INT, rank == 2 ? 2 : 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
