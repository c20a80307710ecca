/* What MPI_Comm_get_errhandler returns must be freed as well.
 *
 * ranks: 1
 * goal: leak
 * names: R0 | MPI_Comm_get_errhandler/MPI_Comm_create_errhandler | {A}/{B}
 */
#include <mpi.h>

static void ignore(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Errhandler handler, had;
    MPI_Comm_create_errhandler(ignore, &handler); /* B */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &had); /* A */
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return 0;
}
