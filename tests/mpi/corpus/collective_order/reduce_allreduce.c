/* Rank 0 wants the sum alone, the others want it everywhere.
 *
 * ranks: 3
 * goal: mismatch
 * names: R0 | MPI_Reduce | MPI_Allreduce | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, sum;
    if (rank == 0)
        MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
