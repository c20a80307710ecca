/* An exchange sends from the memory into which it receives.
 *
 * ranks: 2
 * goal: parameter/buffer
 * names: MPI_Sendrecv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, 0, &x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE); /* A */
    MPI_Finalize();
    return 0;
}
