/* MPI_Init and MPI_Finalize are called in functions, the latter at exit.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>
#include <stdlib.h>

static void finish(void)
{
    MPI_Finalize();
}

int main(void)
{
    int size;
    MPI_Init(NULL, NULL);
    atexit(finish);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    exit(0);
}
