/* A given number of rows is kept, and the other dimension follows.
 *
 * ranks: 6
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int dims[2] = {2, 0}, three[3] = {0, 0, 0};
    MPI_Dims_create(size, 2, dims);
    MPI_Dims_create(8, 3, three);
    if (dims[1] != 3 || three[0] != 2 || three[2] != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
