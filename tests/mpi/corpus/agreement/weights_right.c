/* Rank 0 gives the edges of all ranks weights. The others have no edges to give, and no weights.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, in, out, weighted;
    int sources[3] = {0, 1, 2}, degrees[3] = {1, 1, 1}, ends[3] = {1, 2, 0}, weights[3] = {0, 5, 6};
    MPI_Comm graph;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? 3 : 0, sources, degrees, ends,
                          rank == 0 ? weights : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    if (in != 1 || out != 1 || !weighted)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
