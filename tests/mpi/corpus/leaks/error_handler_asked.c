/* The error handler of a communicator is asked for, and that handle is never freed.
 *
 * ranks: 2
 * goal: leak
 * names: handler | MPI_Comm_create_errhandler | {A}
 */
#include <mpi.h>

static void ignore(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Errhandler handler, same;
    MPI_Comm_create_errhandler(ignore, &handler); /* A */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &same);
    MPI_Finalize();
    return 0;
}
