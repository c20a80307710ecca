/* Rank 1 wants the largest value, the others the sum.
 *
 * ranks: 3
 * goal: mismatch
 * names: R1 | MPI_Allreduce | MPI_MAX/op=max | MPI_SUM/op=sum | {A} | op differs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y;
    MPI_Allreduce(&x, &y, 1, MPI_INT, rank == 1 ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
