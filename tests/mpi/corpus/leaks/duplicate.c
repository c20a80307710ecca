/* A duplicate of the world is never freed.
 *
 * ranks: 2
 * goal: leak
 * names: R0 | R1 | communicator | MPI_Comm_dup | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* A */
    MPI_Barrier(copy);
    MPI_Finalize();
    return 0;
}
