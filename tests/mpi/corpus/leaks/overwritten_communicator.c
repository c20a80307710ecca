/* A communicator's variable is used for another one, and the first is lost.
 *
 * ranks: 2
 * goal: leak
 * names: communicator | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* A */
    MPI_Comm_dup(copy, &copy);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
