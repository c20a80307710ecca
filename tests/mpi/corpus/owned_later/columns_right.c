/* Ranks change the columns between those that are sent and received.
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
    int field[80] = {0};
    MPI_Datatype column;
    MPI_Request in, out;
    MPI_Type_vector(8, 1, 10, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Irecv(field + 9, 1, column, 1 - rank, 0, MPI_COMM_WORLD, &in);
    MPI_Isend(field + 1, 1, column, 1 - rank, 0, MPI_COMM_WORLD, &out);
    for (int i = 0; i < 8; i++)
        field[10 * i + 5] = field[10 * i + 1] + rank + 1;
    MPI_Wait(&in, MPI_STATUS_IGNORE);
    MPI_Wait(&out, MPI_STATUS_IGNORE);
    if (field[15] != rank + 1 || field[79] != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
