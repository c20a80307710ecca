/* A non-blocking broadcast is never waited for.
 *
 * ranks: 2
 * goal: request/leak
 * names: request | MPI_Ibcast | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x = 1;
    MPI_Request request;
    MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
