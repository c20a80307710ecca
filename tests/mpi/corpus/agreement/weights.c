/* One rank gives its edges weights, the other one MPI_UNWEIGHTED.
 *
 * ranks: 2
 * goal: mismatch
 * names: {A} | MPI_UNWEIGHTED
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, other, one = 1;
    MPI_Comm graph;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &other, rank == 0 ? &one : MPI_UNWEIGHTED,
                          MPI_INFO_NULL, 0, &graph); /* A */
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
