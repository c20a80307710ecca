/* Everybody sends to all others before it receives from any.
 *
 * ranks: 3
 * goal: deadlock/buffering
 * names: R0 | R1 | R2 | MPI_Send | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int x = rank, y;
    for (int i = 1; i < size; i++)
        MPI_Send(&x, 1, MPI_INT, (rank + i) % size, 0, MPI_COMM_WORLD); /* A */
    for (int i = 1; i < size; i++)
        MPI_Recv(&y, 1, MPI_INT, (rank + i) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
