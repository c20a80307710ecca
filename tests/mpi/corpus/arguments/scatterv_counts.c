/* The root gives rank 1 nothing, and rank 1 expects an integer.
 *
 * ranks: 2
 * goal: mismatch/truncation
 * names: R1 | MPI_Scatterv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int all[2] = {1, 2}, counts[2] = {1, 0}, places[2] = {0, 1}, mine = 0;
    MPI_Scatterv(all, counts, places, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
