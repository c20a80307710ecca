/* Rank 0 tests a general request that nobody completes.
 * ranks: 2
 * goal: deadlock
 * names: R0 | {A} | {S}
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
    int ended = 0;
    if (rank == 1)
        MPI_Grequest_complete(request);
    while (!ended)
        MPI_Test(&request, &ended, MPI_STATUS_IGNORE); /* A */
    return MPI_Finalize();
}
