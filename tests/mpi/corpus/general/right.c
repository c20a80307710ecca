/* Each rank completes its general request before it waits for it.
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
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (state.queries != 1 || state.frees != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return MPI_Finalize();
}
