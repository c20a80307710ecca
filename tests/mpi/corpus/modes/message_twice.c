/* A message that was taken is received twice.
 *
 * ranks: 2
 * goal: request/parameter
 * names: R1 | MPI_Mrecv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else {
        MPI_Message message, copy;
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        copy = message;
        MPI_Mrecv(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&x, 1, MPI_INT, &copy, MPI_STATUS_IGNORE); /* A */
    }
    MPI_Finalize();
    return 0;
}
