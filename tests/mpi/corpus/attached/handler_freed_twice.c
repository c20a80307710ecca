/* An error handler is freed a second time by a copy of its handle.
 *
 * ranks: 1
 * goal: parameter
 * names: R0 | MPI_Errhandler_free | {A}
 */
#include <mpi.h>

static void ignore(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Errhandler handler, copy;
    MPI_Comm_create_errhandler(ignore, &handler);
    copy = handler;
    MPI_Errhandler_free(&handler);
    MPI_Errhandler_free(&copy); /* A */
    MPI_Finalize();
    return 0;
}
