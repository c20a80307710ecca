/* Only rank 0 needs the sum, so only rank 0 asks for it.
 *
 * ranks: 3
 * goal: deadlock/mismatch
 * names: R0 | MPI_Allreduce | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, sum;
    if (rank == 0)
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
