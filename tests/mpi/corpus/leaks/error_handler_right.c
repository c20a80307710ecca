/* An error handler is freed while communicators use it, one of which is never freed.
 *
 * ranks: 2
 * goal: right
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
    MPI_Comm copy;
    MPI_Comm_create_errhandler(ignore, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Errhandler_free(&handler);
    MPI_Comm_get_errhandler(copy, &same);
    MPI_Comm_free(&copy);
    MPI_Errhandler_free(&same);
    MPI_Finalize();
    return 0;
}
