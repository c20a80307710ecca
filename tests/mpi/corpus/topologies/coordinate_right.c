/* A place beyond the border of a grid that wraps around is on the other side.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int dims[2] = {2, 2}, periods[2] = {1, 1}, place[2] = {1, -2}, there;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_rank(grid, place, &there);
    if (there != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
