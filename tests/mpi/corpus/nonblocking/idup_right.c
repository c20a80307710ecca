/* A communicator is duplicated without blocking, and used when it is there.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x = 1, sum;
    MPI_Comm copy;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, copy);
    if (sum != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
