/* What a request still receives is sent meanwhile.
 *
 * ranks: 2
 * goal: buffer
 * names: R0 | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y;
    MPI_Request request;
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* A */
        MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);            /* B */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&y, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
