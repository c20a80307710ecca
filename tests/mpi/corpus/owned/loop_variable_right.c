/* Each send has an element of its own for its buffer.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int x[4], y;
    if (rank == 0) {
        MPI_Request requests[3];
        for (int i = 1; i < size; i++) {
            x[i] = i;
            MPI_Issend(&x[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[i - 1]);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (y != rank)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
