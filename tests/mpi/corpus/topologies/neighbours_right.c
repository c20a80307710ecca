/* On a ring, everybody tells its neighbours its rank.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int near[2] = {(rank + 3) % 4, (rank + 1) % 4}, x = rank, y[2];
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, near, MPI_UNWEIGHTED, 2, near, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, ring);
    if (y[0] != near[0] || y[1] != near[1])
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
