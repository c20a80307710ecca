/* One byte of a long buffer is written meanwhile.
 *
 * ranks: 2
 * goal: buffer
 * names: R0 | {A}
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *x = calloc(100000, 1);
    if (rank == 0) {
        MPI_Request request;
        MPI_Issend(x, 100000, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request); /* A */
        x[77777] = 1;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(x, 100000, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(x);
    MPI_Finalize();
    return 0;
}
