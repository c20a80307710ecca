/* Seven ranks cannot be a grid with two rows.
 *
 * ranks: 7
 * goal: parameter
 * names: MPI_Dims_create | 7 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int dims[2] = {2, 0};
    MPI_Dims_create(size, 2, dims); /* A */
    MPI_Finalize();
    return 0;
}
