/* Reductions with equal blocks and with counted blocks are different calls.
 *
 * ranks: 2
 * goal: mismatch
 * names: R0 | R1 | MPI_Reduce_scatter | MPI_Reduce_scatter_block | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in[2] = {1, 2}, counts[2] = {1, 1}, out;
    if (rank == 0)
        MPI_Reduce_scatter(in, &out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* A */
    else
        MPI_Reduce_scatter_block(in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
