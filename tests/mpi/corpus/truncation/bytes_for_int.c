/* An integer is received as four bytes.
 *
 * ranks: 2
 * goal: mismatch
 * names: R0 | R1 | MPI_INT | MPI_BYTE | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Recv(&x, 4, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
    MPI_Finalize();
    return 0;
}
