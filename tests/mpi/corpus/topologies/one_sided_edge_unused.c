/* Rank 0 names rank 1 as a neighbour to send to, rank 1 does not name rank 0, and nobody uses the
 * graph.
 *
 * ranks: 3
 * goal: mismatch/parameter
 * names: rank 0 has 1 edges to rank 1 | MPI_Dist_graph_create_adjacent | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int before = (rank + 2) % 3, after = (rank + 1) % 3;
    MPI_Comm near;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 1 ? 0 : 1, &before, MPI_UNWEIGHTED, 1,
                                   &after, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &near); /* A */
    MPI_Comm_free(&near);
    MPI_Finalize();
    return 0;
}
