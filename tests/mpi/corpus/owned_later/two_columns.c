/* Two receives share the lower part of a column.
 *
 * ranks: 2
 * goal: buffer
 * names: R1 | {A} | {B}
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
    if (rank == 0) {
        MPI_Send(matrix, 1, column, 1, 0, MPI_COMM_WORLD);
        MPI_Send(matrix, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&matrix[2], 1, column, 0, 0, MPI_COMM_WORLD, &requests[0]);      /* A */
        MPI_Recv(&matrix[9], 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&column);
    return MPI_Finalize();
}
