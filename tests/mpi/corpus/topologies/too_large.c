/* A grid of 2 by 3 needs six ranks, and there are four.
 *
 * ranks: 4
 * goal: parameter
 * names: MPI_Cart_create | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int dims[2] = {2, 3}, periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); /* A */
    if (grid != MPI_COMM_NULL)
        MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
