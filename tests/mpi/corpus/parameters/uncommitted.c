/* A type is used that was never committed.
 *
 * ranks: 2
 * goal: parameter
 * names: R0 | MPI_Send | commit | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[2] = {1, 2};
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_INT, &type);
    if (rank == 0)
        MPI_Send(x, 1, type, 1, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Recv(x, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
