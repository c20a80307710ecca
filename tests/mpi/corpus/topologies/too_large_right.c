/* A grid of 2 by 2 leaves the fifth rank out.
 *
 * ranks: 5
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[2] = {2, 2}, periods[2] = {0, 0}, place[2];
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    if (grid != MPI_COMM_NULL) {
        MPI_Cart_coords(grid, rank, 2, place);
        if (place[0] != rank / 2 || place[1] != rank % 2)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Comm_free(&grid);
    } else if (rank != 4)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
