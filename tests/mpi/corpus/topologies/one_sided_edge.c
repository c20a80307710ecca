/* Rank 0 names rank 1 as a neighbour to send to, and rank 1 does not name rank 0.
 *
 * ranks: 2
 * goal: mismatch/deadlock/parameter/unmatched
 * names: rank 0 | rank 1 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other[1] = {1 - rank}, x = rank, y;
    MPI_Comm near;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, other, MPI_UNWEIGHTED, rank == 0 ? 1 : 0,
                                   other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &near); /* A */
    MPI_Neighbor_allgather(&x, 1, MPI_INT, &y, 1, MPI_INT, near);
    MPI_Comm_free(&near);
    MPI_Finalize();
    return 0;
}
