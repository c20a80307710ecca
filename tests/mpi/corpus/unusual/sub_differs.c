/* Rank 3 keeps the columns, the others the rows.
 *
 * ranks: 4
 * goal: mismatch/parameter/deadlock
 * names: MPI_Cart_sub | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[2] = {2, 2}, periods[2] = {0, 0}, keep[2] = {rank == 3, rank != 3};
    MPI_Comm grid, part;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, keep, &part); /* A */
    MPI_Comm_free(&part);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
