/* Each rank completes its general request before it waits for it.
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

struct state {
    int queries, frees;
};

static int query(void *argument, MPI_Status *status)
{
    ((struct state *)argument)->queries++;
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *argument)
{
    ((struct state *)argument)->frees++;
    return MPI_SUCCESS;
}

static int cancel(void *argument, int complete)
{
    (void)argument;
    (void)complete;
    return MPI_SUCCESS;
}

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
