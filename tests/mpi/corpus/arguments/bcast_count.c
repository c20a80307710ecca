/* The root broadcasts two integers, and rank 1 expects four.
 *
 * ranks: 3
 * goal: mismatch/truncation
 * names: R1 | MPI_Bcast | 2 | 4 | {A} | count differs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[4] = {0};
    MPI_Bcast(x, rank == 1 ? 4 : 2, MPI_INT, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
