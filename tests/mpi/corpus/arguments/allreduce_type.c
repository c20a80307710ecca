/* Rank 1 adds doubles, the others long integers.
 *
 * ranks: 3
 * goal: mismatch
 * names: R1 | MPI_Allreduce | MPI_DOUBLE/float64 | MPI_LONG/int64 | {A} | {B} | datatype differs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long x = 1, sum;
    double y = 1, total;
    if (rank == 1)
        MPI_Allreduce(&y, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* A */
    else
        MPI_Allreduce(&x, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
