/* An integer is received as a float.
 *
 * ranks: 2
 * goal: mismatch
 * names: R0 | R1 | MPI_INT | MPI_FLOAT | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    float y;
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Recv(&y, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
    MPI_Finalize();
    return 0;
}
