/* A general request is freed, and never completed.
 * ranks: 2
 * goal: request
 * names: {S}
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
    if (rank == 1)
        MPI_Grequest_complete(request);
    MPI_Request_free(&request);
    return MPI_Finalize();
}
