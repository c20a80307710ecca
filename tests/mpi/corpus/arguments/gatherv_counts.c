/* The root expects one integer from rank 2, which gives two.
 *
 * ranks: 3
 * goal: mismatch/truncation
 * names: R2 | MPI_Gatherv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all[6], counts[3] = {1, 2, 1}, places[3] = {0, 1, 3}, mine[2] = {1, 2};
    MPI_Gatherv(mine, rank == 0 ? 1 : 2, MPI_INT, all, counts, places, MPI_INT, 0,
                MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
