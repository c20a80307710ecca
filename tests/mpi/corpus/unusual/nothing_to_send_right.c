/* Counts are 0 where nothing is sent, and pointers that do not matter are NULL.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int counts[3] = {0, 2, 0}, places[3] = {0, 0, 0}, x[2] = {rank, rank}, y[6];
    MPI_Gatherv(x, rank == 1 ? 2 : 0, MPI_INT, rank == 2 ? y : NULL, rank == 2 ? counts : NULL,
                rank == 2 ? places : NULL, MPI_INT, 2, MPI_COMM_WORLD);
    int none[3] = {0, 0, 0};
    MPI_Alltoallv(NULL, none, none, MPI_INT, NULL, none, none, MPI_INT, MPI_COMM_WORLD);
    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 2 && (y[0] != 1 || y[1] != 1))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
