/* A receive is completed as if it were a general request.
 * ranks: 2
 * goal: request
 * names: {A}
 */
#include "general.h"

int main(int argc, char **argv)
{
    int rank;
    struct state state = {0, 0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Grequest_start(query, release, cancel, &state, &request); /* S */
    int value = 0;
    MPI_Request receive;
    MPI_Irecv(&value, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &receive);
    MPI_Send(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    MPI_Grequest_complete(receive); /* A */
    MPI_Grequest_complete(request);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
