/* Everybody reduces to itself in one call.
 *
 * ranks: 3
 * goal: mismatch
 * names: MPI_Reduce | root | {A} | root differs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, sum;
    MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, rank, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
