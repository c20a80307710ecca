/* Messages and a blocking sum of another communicator pass while a broadcast is under way.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank == 2 ? 9 : 0, y = rank, z, sum;
    MPI_Comm copy;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Ibcast(&x, 1, MPI_INT, 2, MPI_COMM_WORLD, &request);
    MPI_Sendrecv(&y, 1, MPI_INT, (rank + 1) % 3, 0, &z, 1, MPI_INT, (rank + 2) % 3, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&z, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (x != 9 || sum != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
