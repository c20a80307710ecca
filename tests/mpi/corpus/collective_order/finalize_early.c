/* Rank 1 ends while the others still gather.
 *
 * ranks: 3
 * goal: deadlock/mismatch
 * names: R1 | MPI_Gather | MPI_Finalize | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all[3];
    if (rank == 1) {
        MPI_Finalize(); /* B */
        return 0;
    }
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
