/* Messages are taken by MPI_Mprobe and received in the opposite order.
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
    int x[2] = {1, 2};
    if (rank == 0) {
        MPI_Request requests[2];
        for (int i = 0; i < 2; i++)
            MPI_Isend(&x[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[i]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Message messages[2];
        for (int i = 0; i < 2; i++)
            MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &messages[i], MPI_STATUS_IGNORE);
        MPI_Mrecv(&x[1], 1, MPI_INT, &messages[1], MPI_STATUS_IGNORE);
        MPI_Mrecv(&x[0], 1, MPI_INT, &messages[0], MPI_STATUS_IGNORE);
        if (x[0] != 1 || x[1] != 2 || messages[0] != MPI_MESSAGE_NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
