/* A rank sends a column and receives a row that crosses it.
 *
 * ranks: 2
 * goal: parameter/buffer
 * names: R0/R1 | {A}
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
    MPI_Sendrecv(&matrix[2], 1, column, 1 - rank, 0, &matrix[8], 4, MPI_INT, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    (void)requests;
    MPI_Type_free(&column);
    return MPI_Finalize();
}
