/* Two exchanges with neighbours are under way, and are waited for in the other order.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[2] = {2, 2}, periods[2] = {1, 0}, x[4] = {rank, rank, rank, rank};
    int y[4] = {-1, -1, -1, -1}, z[4] = {-1, -1, -1, -1};
    MPI_Comm grid;
    MPI_Request one, other;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Ineighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, grid, &one);
    MPI_Ineighbor_alltoall(x, 1, MPI_INT, z, 1, MPI_INT, grid, &other);
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++) {
        if (y[i] != z[i])
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
