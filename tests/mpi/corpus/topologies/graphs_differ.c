/* Rank 0 names other edges of the graph.
 *
 * ranks: 3
 * goal: mismatch/parameter
 * names: R0 | MPI_Graph_create | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int index[3] = {1, 2, 3}, edges[3] = {1, 2, 0};
    MPI_Comm graph;
    if (rank == 0)
        edges[2] = 1;
    MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &graph); /* A */
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
