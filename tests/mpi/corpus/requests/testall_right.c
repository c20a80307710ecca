/* A list is tested until everything in it has ended; an empty list has ended already.
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
    int x = rank, y = -1, other = 1 - rank, flag = 0;
    MPI_Request requests[2];
    MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
    if (!flag)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Irecv(&y, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
    for (flag = 0; !flag;)
        MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    if (y != other)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
