/* Rank 0 exchanges blocks of two, the others blocks of one.
 *
 * ranks: 3
 * goal: mismatch/truncation
 * names: R0 | MPI_Alltoall | {A} | sendcount differs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in[6], out[6] = {0};
    int b = rank == 0 ? 2 : 1;
    MPI_Alltoall(out, b, MPI_INT, in, b, MPI_INT, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
