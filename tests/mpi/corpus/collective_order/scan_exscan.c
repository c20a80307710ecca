/* Rank 2 leaves itself out of the sum, the others do not.
 *
 * ranks: 3
 * goal: mismatch
 * names: R2 | MPI_Scan | MPI_Exscan | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, sum = 0;
    if (rank == 2)
        MPI_Exscan(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* A */
    else
        MPI_Scan(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
