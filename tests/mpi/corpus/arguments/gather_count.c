/* Rank 1 gives more than the root has room for.
 *
 * ranks: 3
 * goal: mismatch/truncation
 * names: R1 | MPI_Gather | {A} | sendcount differs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all[6], mine[2] = {rank, rank};
    MPI_Gather(mine, rank == 1 ? 2 : 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
