/* MPI_MESSAGE_NULL is received.
 *
 * ranks: 2
 * goal: request/parameter
 * names: R0 | MPI_Mrecv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x;
    MPI_Message message = MPI_MESSAGE_NULL;
    if (rank == 0)
        MPI_Mrecv(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE); /* A */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
