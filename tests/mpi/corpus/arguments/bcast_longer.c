/* The root broadcasts more than rank 1 has room for.
 *
 * ranks: 3
 * goal: mismatch/truncation
 * names: R1 | MPI_Bcast | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[4] = {0};
    MPI_Bcast(x, rank == 1 ? 2 : 4, MPI_INT, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
