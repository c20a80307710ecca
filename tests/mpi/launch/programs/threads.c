/* Each rank has a team of OpenMP threads of its own. */
#include <mpi.h>
#include <stdio.h>

static int total;

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(3) reduction(+ : total)
    total += 1 + rank;
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d %s\n", rank, total == 3 * (rank + 1) ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
