/* The first request is lost, because the second one takes its variable.
 *
 * ranks: 2
 * goal: request/leak
 * names: R0 | request | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[2], y = 1;
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&x[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* A */
        MPI_Irecv(&x[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&y, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
