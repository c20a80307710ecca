/* Columns one after the other overlap in extent, not in elements.
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
    int x[3][3], y[9];
    MPI_Datatype column, next;
    for (int i = 0; i < 9; i++)
        x[i / 3][i % 3] = i;
    MPI_Type_vector(3, 1, 3, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &next);
    MPI_Type_commit(&next);
    MPI_Type_free(&column);
    MPI_Sendrecv(x, 3, next, 1 - rank, 0, y, 9, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < 9; i++)
        if (y[i] != x[i % 3][i / 3])
            MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_free(&next);
    MPI_Finalize();
    return 0;
}
