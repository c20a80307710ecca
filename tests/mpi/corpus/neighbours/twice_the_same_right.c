/* A rank is a neighbour twice, and gets both blocks in their order.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other[2] = {1 - rank, 1 - rank}, x[2] = {10 * rank, 10 * rank + 1}, y[2];
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, other, MPI_UNWEIGHTED, 2, other,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_INT, graph);
    if (y[0] != 10 * (1 - rank) || y[1] != y[0] + 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
