/* The root receives blocks of their own lengths into no buffer.
 *
 * ranks: 3
 * goal: parameter
 * names: R0 | MPI_Gatherv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int counts[3] = {1, 1, 1}, places[3] = {0, 1, 2};
    MPI_Gatherv(&rank, 1, MPI_INT, NULL, counts, places, MPI_INT, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
