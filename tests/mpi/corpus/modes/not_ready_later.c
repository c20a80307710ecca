/* A non-blocking ready send begins before its receive.
 *
 * ranks: 2
 * goal: mode
 * names: R0 | MPI_Irsend | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    MPI_Request request;
    if (rank == 0) {
        MPI_Irsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* A */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
