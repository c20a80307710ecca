/* One rank duplicates the world while the other broadcasts.
 *
 * ranks: 2
 * goal: mismatch
 * names: R0 | R1 | MPI_Comm_dup | MPI_Bcast | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 0;
    MPI_Comm copy;
    if (rank == 0) {
        MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* A */
        MPI_Comm_free(&copy);
    } else
        MPI_Bcast(&x, 1, MPI_INT, 1, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
