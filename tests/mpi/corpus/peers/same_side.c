/* Everybody sends to the right neighbour and receives from there too, not from the left one.
 *
 * ranks: 3
 * goal: deadlock
 * names: R0 | R1 | R2 | MPI_Sendrecv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int x = rank, y, right = (rank + 1) % size;
    MPI_Sendrecv(&x, 1, MPI_INT, right, 0, &y, 1, MPI_INT, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE); /* A */
    MPI_Finalize();
    return 0;
}
