/* A type for receiving has an element twice.
 *
 * ranks: 2
 * goal: parameter/buffer
 * names: MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[2] = {1, 2}, places[2] = {0, 0};
    MPI_Datatype twice;
    MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &twice);
    MPI_Type_commit(&twice);
    if (rank == 0)
        MPI_Send(x, 1, twice, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(x, 1, twice, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    MPI_Type_free(&twice);
    MPI_Finalize();
    return 0;
}
