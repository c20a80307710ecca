/* A persistent request has ended and is never freed.
 *
 * ranks: 2
 * goal: leak/request
 * names: R0 | request | MPI_Send_init | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 0) {
        MPI_Request request;
        MPI_Send_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* A */
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
