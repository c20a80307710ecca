/* Rank 3 has nothing to add and leaves the reduction out.
 *
 * ranks: 4
 * goal: deadlock/mismatch
 * names: R3 | MPI_Reduce | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, sum;
    if (rank < 3)
        MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
