/* Rank 1 waits for a general request that it does not complete.
 * ranks: 2
 * goal: deadlock
 * names: R1 | {A} | general request | {S}
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
    if (rank == 0)
        MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* A */
    return MPI_Finalize();
}
