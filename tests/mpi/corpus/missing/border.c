/* On a line without wrapping, rank 0 waits for a neighbour that the last rank is not.
 *
 * ranks: 3
 * goal: deadlock
 * names: R0 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = rank, theirs;
    if (rank < size - 1)
        MPI_Send(&mine, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE); /* A */
    MPI_Finalize();
    return 0;
}
