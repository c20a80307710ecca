/* Rank 2 gives one integer where everybody else expects two.
 *
 * ranks: 3
 * goal: mismatch/truncation
 * names: R2 | MPI_Allgather | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all[6], mine[2] = {rank, rank};
    MPI_Allgather(mine, rank == 2 ? 1 : 2, MPI_INT, all, rank == 2 ? 1 : 2, MPI_INT,
                  MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
