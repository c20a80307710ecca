/* One variable serves for one request after the other.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x, y = 1;
    for (int i = 0; i < 3; i++) {
        MPI_Request request;
        if (rank == 0)
            MPI_Irecv(&x, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
        else
            MPI_Isend(&y, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
