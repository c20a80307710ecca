/* Two receives have the two halves of one array.
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
    int x[6] = {1, 2, 3, 4, 5, 6};
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Irecv(x, 3, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(x + 3, 3, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
    } else {
        MPI_Isend(x + 3, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(x, 3, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (rank == 0 && (x[0] != 4 || x[5] != 3))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
