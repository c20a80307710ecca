/* Rank 1 runs the loop of barriers once more, and its last barrier meets a reduction.
 *
 * ranks: 3
 * goal: mismatch
 * names: R1 | MPI_Barrier | MPI_Allreduce | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, sum;
    for (int i = 0; i < (rank == 1 ? 4 : 3); i++)
        MPI_Barrier(MPI_COMM_WORLD);                              /* A */
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
