/* The same tag means two things in the world and in a duplicate of it.
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
    int in[2] = {0, 0}, out[2] = {1, 2};
    MPI_Comm copy;
    MPI_Request requests[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 0) {
        MPI_Isend(&out[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&out[1], 1, MPI_INT, 1, 0, copy, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Recv(&in[1], 1, MPI_INT, 0, 0, copy, MPI_STATUS_IGNORE);
        MPI_Recv(&in[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (in[0] != 1 || in[1] != 2)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
