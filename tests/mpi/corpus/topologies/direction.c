/* A grid of two dimensions has no direction 2.
 *
 * ranks: 4
 * goal: parameter
 * names: MPI_Cart_shift | 2 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int dims[2] = {2, 2}, periods[2] = {1, 1}, from, to;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_shift(grid, 2, 1, &from, &to); /* A */
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
