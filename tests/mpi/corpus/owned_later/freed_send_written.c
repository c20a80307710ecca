/* A send is freed while it is active, and its buffer changes before the message is received.
 *
 * ranks: 2
 * goal: buffer
 * names: R0 | {A}
 */
#include <mpi.h>
#include <stdlib.h>

#define COUNT 100000

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *x = calloc(COUNT, sizeof *x), answer = 0;
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(x, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* A */
        MPI_Request_free(&request);
        x[COUNT / 2] = 1;
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(x, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(x);
    MPI_Finalize();
    return 0;
}
