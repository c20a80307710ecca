/* The root broadcasts where the others expect their part.
 *
 * ranks: 4
 * goal: mismatch
 * names: R0 | MPI_Bcast | MPI_Scatter | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all[4] = {1, 2, 3, 4}, mine;
    if (rank == 0)
        MPI_Bcast(all, 4, MPI_INT, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Scatter(NULL, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
