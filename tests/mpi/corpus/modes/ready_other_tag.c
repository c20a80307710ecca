/* A receive waits, but for another tag than the ready send has.
 *
 * ranks: 2
 * goal: mode/mismatch/lifecycle
 * names: R0 | MPI_Rsend | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, y;
    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Rsend(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* A */
        MPI_Send(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Irecv(&y, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
