/* The types have the same length, but one is a float.
 *
 * ranks: 2
 * goal: mismatch
 * names: R0 | R1 | MPI_Bcast | MPI_INT | MPI_FLOAT | {A} | {B} | datatype differs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    float y = 0;
    if (rank == 0)
        MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Bcast(&y, 1, MPI_FLOAT, 0, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
