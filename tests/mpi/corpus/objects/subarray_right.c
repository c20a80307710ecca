/* A column of an array is sent to where the other has a row.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[4][4], y[4], sizes[2] = {4, 4}, parts[2] = {4, 1}, starts[2] = {0, 3};
    MPI_Datatype column;
    for (int i = 0; i < 16; i++)
        x[i / 4][i % 4] = i;
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Sendrecv(x, 1, column, 1 - rank, 0, y, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (y[0] != 3 || y[3] != 15)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
