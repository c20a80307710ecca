/* Both ranks receive a row while they send a column of the same matrix, which has an element of the
 * row.
 *
 * ranks: 2
 * goal: buffer
 * names: R0/R1 | {A} | {B}
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
    MPI_Isend(&matrix[1], 1, column, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);  /* A */
    MPI_Irecv(&matrix[4], 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]); /* B */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&column);
    return MPI_Finalize();
}
