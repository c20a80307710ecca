/* A grid is a communicator, and never freed.
 *
 * ranks: 4
 * goal: leak
 * names: communicator | MPI_Cart_create | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int dims[2] = {0, 0}, periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid); /* A */
    MPI_Finalize();
    return 0;
}
