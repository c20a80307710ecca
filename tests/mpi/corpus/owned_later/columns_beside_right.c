/* Both ranks receive columns beside the one that they send.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, matrix[16] = {0};
    MPI_Datatype column;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Isend(&matrix[1], 1, column, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&matrix[1], 1, column, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv(&matrix[2], 1, column, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&matrix[0], 1, column, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&column);
    return MPI_Finalize();
}
