/* Rank 0 reduces three elements, the others two.
 *
 * ranks: 3
 * goal: mismatch/truncation
 * names: R0 | MPI_Allreduce | 3 | 2 | {A} | count differs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in[3] = {1, 2, 3}, out[3];
    MPI_Allreduce(in, out, rank == 0 ? 3 : 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
