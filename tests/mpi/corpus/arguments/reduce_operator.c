/* The root multiplies, the others add.
 *
 * ranks: 4
 * goal: mismatch
 * names: R0 | MPI_Reduce | MPI_PROD/op=prod | MPI_SUM/op=sum | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double x = 2, y;
    if (rank == 0)
        MPI_Reduce(&x, &y, 1, MPI_DOUBLE, MPI_PROD, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Reduce(&x, NULL, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
