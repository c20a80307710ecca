/* Different rows make different calls at the same time, and columns come after rows.
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
    int x = rank, sum = 0, y;
    MPI_Comm row, column;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
    if (rank < 2)
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, row);
    else {
        y = x;
        MPI_Barrier(row);
        MPI_Bcast(&y, 1, MPI_INT, 0, row);
        MPI_Scan(&x, &sum, 1, MPI_INT, MPI_MAX, row);
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, column);
    if (sum != (rank % 2 == 0 ? 3 : 4))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Finalize();
    return 0;
}
