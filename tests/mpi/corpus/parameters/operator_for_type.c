/* Bits of doubles cannot be combined.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Allreduce | MPI_BAND | MPI_DOUBLE | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double x = rank, y;
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
