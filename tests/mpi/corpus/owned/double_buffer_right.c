/* While one buffer is under way, the other one is filled.
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
    int x[2][4];
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    for (int step = 0; step < 6; step++) {
        int b = step % 2;
        MPI_Wait(&requests[b], MPI_STATUS_IGNORE);
        if (rank == 0) {
            for (int i = 0; i < 4; i++)
                x[b][i] = 10 * step + i;
            MPI_Isend(x[b], 4, MPI_INT, 1, step, MPI_COMM_WORLD, &requests[b]);
        } else {
            MPI_Irecv(x[b], 4, MPI_INT, 0, step, MPI_COMM_WORLD, &requests[b]);
        }
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (rank == 1 && (x[0][3] != 43 || x[1][0] != 50))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
