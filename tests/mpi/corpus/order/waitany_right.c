/* Two exchanges with one partner are ended by MPI_Waitany, in whichever order they come.
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
    int in[2], out[2] = {10 * rank, 10 * rank + 1}, other = 1 - rank;
    MPI_Request requests[4];
    for (int i = 0; i < 2; i++) {
        MPI_Irecv(&in[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(&out[1 - i], 1, MPI_INT, other, 1 - i, MPI_COMM_WORLD, &requests[2 + i]);
    }
    for (int i = 0; i < 4; i++) {
        int which;
        MPI_Waitany(4, requests, &which, MPI_STATUS_IGNORE);
    }
    if (in[0] != 10 * other || in[1] != 10 * other + 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
