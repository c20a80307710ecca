/* The program's own handler counts an error, and the program goes on.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

static int errors;

static void count(MPI_Comm *comm, int *code, ...)
{
    int class;
    (void)comm;
    MPI_Error_class(*code, &class);
    errors += class == MPI_ERR_RANK;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x = 1;
    MPI_Errhandler handler, had;
    MPI_Comm_create_errhandler(count, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Send(&x, 1, MPI_INT, 77, 0, MPI_COMM_WORLD);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &had);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&had);
    if (errors != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
