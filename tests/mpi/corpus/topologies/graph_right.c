/* A graph of three nodes in a row knows its neighbours.
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
    int index[3] = {1, 3, 4}, edges[4] = {1, 0, 2, 1}, count, near[2];
    MPI_Comm graph;
    MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &graph);
    MPI_Graph_neighbors_count(graph, rank, &count);
    MPI_Graph_neighbors(graph, rank, 2, near);
    if (count != (rank == 1 ? 2 : 1) || near[0] != (rank == 1 ? 0 : 1))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
