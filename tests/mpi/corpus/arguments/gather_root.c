/* Rank 0 gathers at rank 1, the others at rank 0.
 *
 * ranks: 3
 * goal: mismatch
 * names: R0 | MPI_Gather | root | {A} | {B} | root differs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all[3];
    if (rank == 0)
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 1, MPI_COMM_WORLD); /* A */
    else
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
