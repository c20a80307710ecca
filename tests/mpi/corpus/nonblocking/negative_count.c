/* A started broadcast has a negative count.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Ibcast | count | -1 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x = 1;
    MPI_Request request;
    MPI_Ibcast(&x, -1, MPI_INT, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
