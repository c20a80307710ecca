/* A graph has an edge to a node that it does not have.
 *
 * ranks: 3
 * goal: parameter
 * names: MPI_Graph_create | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int index[3] = {1, 2, 3}, edges[3] = {1, 2, 3};
    MPI_Comm graph;
    MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &graph); /* A */
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
