/* Rank 0 waits for all, rank 1 only for itself.
 *
 * ranks: 2
 * goal: deadlock/mismatch
 * names: R0 | R1 | MPI_Barrier | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(rank == 0 ? MPI_COMM_WORLD : MPI_COMM_SELF); /* A */
    MPI_Finalize();
    return 0;
}
