/* Each rank sends and receives at once, also from one buffer.
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
    int out = rank, in = -1;
    MPI_Request request;
    MPI_Isendrecv(&out, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                  &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (in != 1 - rank)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Isendrecv_replace(&in, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (in != rank)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
