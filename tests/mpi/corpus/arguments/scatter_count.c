/* The root gives each rank two integers, and rank 2 expects one.
 *
 * ranks: 3
 * goal: mismatch/truncation
 * names: R2 | MPI_Scatter | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all[6] = {1, 2, 3, 4, 5, 6}, mine[2];
    MPI_Scatter(all, 2, MPI_INT, mine, rank == 2 ? 1 : 2, MPI_INT, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
