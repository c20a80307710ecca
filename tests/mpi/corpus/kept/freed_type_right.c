/* A persistent request keeps its type, so the type may be freed before the start.
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
    int x[4] = {rank, 1, rank, 1}, y[4] = {0};
    MPI_Datatype apart;
    MPI_Request requests[2];
    MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    MPI_Send_init(x, 1, apart, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(y, 1, apart, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Type_free(&apart);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    if (y[0] != 1 - rank || y[1] != 0 || y[2] != 1 - rank)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Finalize();
    return 0;
}
