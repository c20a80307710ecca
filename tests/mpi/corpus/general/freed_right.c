/* A general request is freed, and completed by a copy of its handle.
 * ranks: 2
 * goal: right
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
    MPI_Request copy = request;
    MPI_Request_free(&request);
    MPI_Grequest_complete(copy);
    if (state.queries != 0 || state.frees != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return MPI_Finalize();
}
