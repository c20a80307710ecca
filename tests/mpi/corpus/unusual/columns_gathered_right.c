/* Each rank sends a row, which becomes a column at the root.
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
    int x[2] = {rank, 10 + rank}, y[6] = {0};
    MPI_Datatype column, narrow;
    MPI_Type_vector(2, 1, 3, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
    MPI_Type_commit(&narrow);
    MPI_Gather(x, 2, MPI_INT, y, 1, narrow, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < 3; i++) {
        if (y[i] != i || y[3 + i] != 10 + i)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_free(&narrow);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
