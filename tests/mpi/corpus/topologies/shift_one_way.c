/* Everybody receives from where it sends to, on a ring that wraps around.
 *
 * ranks: 3
 * goal: deadlock
 * names: R0 | R1 | R2 | MPI_Sendrecv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[1] = {3}, periods[1] = {1}, from, to, x = rank, y;
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &from, &to);
    MPI_Sendrecv(&x, 1, MPI_INT, to, 0, &y, 1, MPI_INT, to, 0, ring, MPI_STATUS_IGNORE); /* A */
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
