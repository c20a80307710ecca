/* MPI_REQUEST_NULL is freed.
 *
 * ranks: 2
 * goal: request/parameter
 * names: MPI_Request_free | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Request_free(&request); /* A */
    MPI_Finalize();
    return 0;
}
