/* Rank 0 sends one block to all its neighbours, the others a block to each.
 *
 * ranks: 3
 * goal: mismatch/deadlock
 * names: R0 | MPI_Neighbor_allgather | MPI_Neighbor_alltoall | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[1] = {3}, periods[1] = {1}, x[2] = {rank, rank}, y[2];
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    if (rank == 0)
        MPI_Neighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, ring); /* A */
    else
        MPI_Neighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_INT, ring); /* B */
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
