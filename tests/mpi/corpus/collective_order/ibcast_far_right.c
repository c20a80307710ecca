/* A rank starts its part of a non-blocking broadcast late, and waits for messages before it ends.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y = 0;
    MPI_Request request;
    if (rank == 2) {
        MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
        if (rank == 0)
            MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&x, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
    } else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (x != 0 || y != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
