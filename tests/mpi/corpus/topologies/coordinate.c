/* A place is beyond the border of a grid that does not wrap around.
 *
 * ranks: 4
 * goal: parameter
 * names: MPI_Cart_rank | 2 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int dims[2] = {2, 2}, periods[2] = {0, 0}, place[2] = {1, 2}, there;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_rank(grid, place, &there); /* A */
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
