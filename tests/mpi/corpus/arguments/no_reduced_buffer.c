/* A reduction of blocks reads from no buffer.
 *
 * ranks: 3
 * goal: parameter
 * names: MPI_Reduce_scatter | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in, counts[3] = {1, 1, 1};
    MPI_Reduce_scatter(NULL, &in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
