/* Rank 0 sends its neighbours two integers, and they expect one.
 *
 * ranks: 3
 * goal: mismatch/truncation
 * names: R0 | MPI_Neighbor_alltoall | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[1] = {3}, periods[1] = {1}, x[4] = {0}, y[4];
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Neighbor_alltoall(x, rank == 0 ? 2 : 1, MPI_INT, y, 1, MPI_INT, ring); /* A */
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
