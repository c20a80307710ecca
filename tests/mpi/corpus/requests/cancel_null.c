/* MPI_REQUEST_NULL is cancelled.
 *
 * ranks: 2
 * goal: request/parameter
 * names: MPI_Cancel | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Cancel(&request); /* A */
    MPI_Finalize();
    return 0;
}
