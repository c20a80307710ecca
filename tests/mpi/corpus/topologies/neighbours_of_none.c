/* The world has no neighbours to gather from.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Neighbor_allgather | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y[2];
    MPI_Neighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
