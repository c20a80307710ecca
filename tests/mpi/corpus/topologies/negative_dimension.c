/* A dimension of a grid is negative.
 *
 * ranks: 4
 * goal: parameter
 * names: MPI_Cart_create | -2 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int dims[2] = {-2, -2}, periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); /* A */
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
