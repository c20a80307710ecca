/* The message that MPI_Mprobe took is longer than the room for it.
 *
 * ranks: 2
 * goal: truncation
 * names: R1 | MPI_Mrecv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[4] = {0};
    if (rank == 0)
        MPI_Send(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else {
        MPI_Message message;
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(x, 3, MPI_INT, &message, MPI_STATUS_IGNORE); /* A */
    }
    MPI_Finalize();
    return 0;
}
