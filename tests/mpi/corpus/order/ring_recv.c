/* In a ring of four, everybody waits for the left neighbour first.
 *
 * ranks: 4
 * goal: deadlock
 * names: R0 | R1 | R2 | R3 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int token;
    MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE); /* A */
    token++;
    MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
