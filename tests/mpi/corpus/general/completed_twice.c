/* A general request is completed twice.
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
    MPI_Grequest_complete(request);
    MPI_Grequest_complete(request); /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
