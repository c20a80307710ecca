/* Two ranks scatter in one call.
 *
 * ranks: 2
 * goal: mismatch
 * names: R0 | R1 | MPI_Scatter | root | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all[2] = {1, 2}, mine;
    MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, rank, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
