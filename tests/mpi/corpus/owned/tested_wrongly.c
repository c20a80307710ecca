/* MPI_Test has said that the send has not ended, and the buffer is written all the same.
 *
 * ranks: 2
 * goal: buffer
 * names: R0 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, done;
    if (rank == 0) {
        MPI_Request request;
        MPI_Issend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* A */
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        x = 2;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
