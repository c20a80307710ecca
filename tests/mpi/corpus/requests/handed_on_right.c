/* One function starts requests, another one ends them.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

static int x[2], y;
static MPI_Request begin(int rank)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Isend(x, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(x, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    return request;
}
static void end(MPI_Request *request)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
    y = x[0] + x[1];
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    x[0] = x[1] = 4 * (1 - rank);
    request = begin(rank);
    end(&request);
    if (y != 8)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
