/* Each rank completes its general request only after it waits.
 * ranks: 2
 * goal: deadlock
 * names: R0 | R1 | {A} | general request
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
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);                /* A */
    MPI_Grequest_complete(request);
    return MPI_Finalize();
}
