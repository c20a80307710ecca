/* The ranks do not agree about who gets how many elements.
 *
 * ranks: 2
 * goal: mismatch/truncation
 * names: R0 | R1 | MPI_Reduce_scatter | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in[4] = {1, 2, 3, 4}, out[3], counts[2] = {1, 3};
    if (rank == 1)
        counts[0] = counts[1] = 2;
    MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
