/* Rank 0 writes how long a barrier takes.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double begin = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9f seconds\n", MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
