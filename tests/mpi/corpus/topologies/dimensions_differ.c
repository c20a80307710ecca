/* Rank 0 turns the grid around.
 *
 * ranks: 6
 * goal: mismatch/parameter
 * names: R0 | MPI_Cart_create | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[2] = {2, 3}, periods[2] = {0, 0};
    MPI_Comm grid;
    if (rank == 0) {
        dims[0] = 3;
        dims[1] = 2;
    }
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); /* A */
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
