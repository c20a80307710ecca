/* Rank 0 changes the message of a buffered send before it waits for it.
 *
 * ranks: 2
 * goal: buffer
 * names: R0 | MPI_Ibsend | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 3;
    char room[1000], *back;
    MPI_Buffer_attach(room, sizeof room);
    if (rank == 0) {
        MPI_Request request;
        MPI_Ibsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* A */
        x = 4;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    int bytes;
    MPI_Buffer_detach(&back, &bytes);
    MPI_Finalize();
    return 0;
}
