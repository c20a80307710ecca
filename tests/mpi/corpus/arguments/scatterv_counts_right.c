/* The root keeps its own part in place, and rank 1 gets nothing.
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
    int all[3] = {7, 8, 9}, counts[3] = {1, 0, 2}, places[3] = {0, 0, 1}, mine[2] = {0, 0};
    if (rank == 0)
        MPI_Scatterv(all, counts, places, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, mine, counts[rank], MPI_INT, 0,
                     MPI_COMM_WORLD);
    if (rank == 2 && (mine[0] != 8 || mine[1] != 9))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
