/* A grid of four has no rank 4.
 *
 * ranks: 4
 * goal: parameter
 * names: MPI_Cart_coords | 4 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int dims[2] = {2, 2}, periods[2] = {1, 1}, place[2];
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, size, 2, place); /* A */
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
