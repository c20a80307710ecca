/* Each rank sends its number around a ring and adds up what comes: an MPI program as there are
 * many. It relies on buffers, because every rank sends before it receives. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0, number = rank; i < size; i++) {
        MPI_Send(&number, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
        MPI_Recv(&number, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        sum += number;
    }
    if (rank == 0)
        printf("%d ranks, sum %d\n", size, sum);
    MPI_Finalize();
    return 0;
}
