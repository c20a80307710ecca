/* A type for sending may have an element twice.
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
    int x[2] = {1, 2}, y[2] = {0}, places[2] = {1, 1};
    MPI_Datatype twice;
    MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &twice);
    MPI_Type_commit(&twice);
    if (rank == 0)
        MPI_Send(x, 1, twice, 1, 0, MPI_COMM_WORLD);
    else {
        MPI_Recv(y, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (y[0] != 2 || y[1] != 2)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_free(&twice);
    MPI_Finalize();
    return 0;
}
