/* A copy of a freed request is waited for.
 *
 * ranks: 2
 * goal: request
 * names: R0 | MPI_Wait | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 0) {
        MPI_Request request, copy;
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        copy = request;
        MPI_Request_free(&request);
        MPI_Wait(&copy, MPI_STATUS_IGNORE); /* A */
    } else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
