/* Rank 0 duplicates the world alone.
 *
 * ranks: 2
 * goal: deadlock/mismatch
 * names: R0 | MPI_Comm_dup | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm mine;
    if (rank == 0) {
        MPI_Comm_dup(MPI_COMM_WORLD, &mine); /* A */
        MPI_Comm_free(&mine);
    }
    MPI_Finalize();
    return 0;
}
