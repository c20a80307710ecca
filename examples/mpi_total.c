/* The ranks add up their numbers with one collective call. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, total;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("total %d\n", total);
    MPI_Finalize();
    return 0;
}
