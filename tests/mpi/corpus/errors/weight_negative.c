/* An edge of a graph has a negative weight.
 *
 * ranks: 2
 * goal: parameter
 * names: {A} | -4
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, other, weight = -4;
    MPI_Comm graph;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, &weight, 1, &other, &weight,
                                   MPI_INFO_NULL, 0, &graph); /* A */
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
