/* Both ranks start a send, look for the other's message, and receive it.
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
    int mine = rank, theirs, other = 1 - rank;
    MPI_Request request;
    MPI_Status status;
    MPI_Isend(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    MPI_Probe(other, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Recv(&theirs, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (theirs != other)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
