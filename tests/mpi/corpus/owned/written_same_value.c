/* A send's buffer is written with the value that it has already.
 *
 * ranks: 2
 * goal: buffer
 * names: {A}
 * with: address
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *x = calloc(10, sizeof *x);
    if (rank == 0) {
        MPI_Request request;
        MPI_Issend(x, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        x[9] = 0; /* A */
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(x, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(x);
    MPI_Finalize();
    return 0;
}
