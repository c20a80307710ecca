/* Rows and columns of a grid sum up their ranks.
 *
 * ranks: 6
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[2] = {2, 3}, periods[2] = {0, 0}, rows[2] = {0, 1}, columns[2] = {1, 0}, a, b;
    MPI_Comm grid, row, column;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, rows, &row);
    MPI_Cart_sub(grid, columns, &column);
    MPI_Comm_free(&grid);
    MPI_Allreduce(&rank, &a, 1, MPI_INT, MPI_SUM, row);
    MPI_Allreduce(&rank, &b, 1, MPI_INT, MPI_SUM, column);
    if (a != (rank < 3 ? 3 : 12) || b != 2 * (rank % 3) + 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Finalize();
    return 0;
}
