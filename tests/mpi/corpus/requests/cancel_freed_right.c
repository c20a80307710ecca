/* A receive whose message never comes is cancelled and freed.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
