/* Rank 0 names all edges of the graph, and the others none.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int sources[3] = {0, 1, 2}, degrees[3] = {1, 1, 1}, targets[3] = {1, 2, 0}, x = rank, y;
    MPI_Comm graph;
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? 3 : 0, sources, degrees, targets,
                          MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_allgather(&x, 1, MPI_INT, &y, 1, MPI_INT, graph);
    if (y != (rank + 2) % 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
