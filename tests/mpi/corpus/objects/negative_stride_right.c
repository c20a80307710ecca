/* A vector type runs backwards, which is allowed.
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
    int x[3] = {1, 2, 3}, y[3] = {0};
    MPI_Datatype back;
    MPI_Type_vector(3, 1, -1, MPI_INT, &back);
    MPI_Type_commit(&back);
    MPI_Sendrecv(x + 2, 1, back, 1 - rank, 0, y, 3, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (y[0] != 3 || y[2] != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_free(&back);
    MPI_Finalize();
    return 0;
}
