/* A receive's buffer is read before the message has come.
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
        MPI_Irecv(x, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        int sum = x[3] + x[4]; /* A */
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (sum == 12345)
            x[0] = 0;
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(x, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    free(x);
    MPI_Finalize();
    return 0;
}
