/* The grid is freed and its rows are not.
 *
 * ranks: 4
 * goal: leak
 * names: communicator | MPI_Cart_sub | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int dims[2] = {2, 2}, periods[2] = {0, 0}, keep[2] = {0, 1};
    MPI_Comm grid, row;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, keep, &row); /* A */
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
