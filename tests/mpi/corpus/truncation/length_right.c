/* The receiver is told the length first, and makes room.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int count = 5;
    double x[5] = {1, 2, 3, 4, 5};
    if (rank == 0) {
        MPI_Send(&count, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(x, count, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&count, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double *y = calloc(count, sizeof *y);
        MPI_Recv(y, count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (y[4] != 5)
            MPI_Abort(MPI_COMM_WORLD, 1);
        free(y);
    }
    MPI_Finalize();
    return 0;
}
