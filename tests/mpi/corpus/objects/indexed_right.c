/* An indexed type goes backwards and has an empty block.
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
    int x[6] = {0, 1, 2, 3, 4, 5}, y[3] = {0};
    int lengths[3] = {2, 0, 1}, places[3] = {4, 9, 0};
    MPI_Datatype type;
    MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(x, 1, type, 1 - rank, 0, y, 3, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (y[0] != 4 || y[1] != 5 || y[2] != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
