/* A communicator's variable was never given a communicator.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Barrier | MPI_COMM_NULL | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Barrier(comm); /* A */
    MPI_Finalize();
    return 0;
}
