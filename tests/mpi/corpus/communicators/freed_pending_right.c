/* A communicator is freed while a message in it is under way, which still arrives.
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
    int x = rank, y, other = 1 - rank;
    MPI_Comm copy;
    MPI_Request requests[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Irecv(&y, 1, MPI_INT, other, 0, copy, &requests[0]);
    MPI_Isend(&x, 1, MPI_INT, other, 0, copy, &requests[1]);
    MPI_Comm_free(&copy);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (y != other)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
