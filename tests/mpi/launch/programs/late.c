/* Rank 1 computes without end, or, with an argument, waits for rank 0, which waits for it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    volatile int goes_on = rank == 1 && argc == 1;
    while (goes_on)
        ;
    if (rank < 2)
        MPI_Recv(&number, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
