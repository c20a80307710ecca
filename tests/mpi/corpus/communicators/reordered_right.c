/* Keys turn the order of the ranks around.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y;
    MPI_Comm turned;
    MPI_Comm_split(MPI_COMM_WORLD, 5, -rank, &turned);
    MPI_Scan(&x, &y, 1, MPI_INT, MPI_SUM, turned);
    if (rank == 0 && y != 6)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(&x, 1, MPI_INT, 0, turned);
    if (x != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&turned);
    MPI_Finalize();
    return 0;
}
