/* A type is freed while a message of it is under way, and is not needed any more.
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
    int x[4] = {1, 2, 3, 4}, y[4] = {0};
    MPI_Request requests[2];
    MPI_Datatype type;
    MPI_Type_vector(2, 1, 3, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Irecv(y, 1, type, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(x, 1, type, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Type_free(&type);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (y[0] != 1 || y[3] != 4 || y[1] != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
