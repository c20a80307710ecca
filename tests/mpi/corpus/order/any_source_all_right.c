/* Everybody waits for a message from anybody, but rank 0 sends first and the others pass it on.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int hops = 0;
    if (rank == 0)
        MPI_Ssend(&hops, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&hops, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hops++;
    if (rank != 0)
        MPI_Ssend(&hops, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    else if (hops != size)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
