/* A part of the last pair comes, and MPI_Get_elements counts it.
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
    int x[4] = {1, 2, 3, 4}, pairs, elements;
    MPI_Datatype pair;
    MPI_Status status;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0)
        MPI_Send(x, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else {
        MPI_Recv(x, 2, pair, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, pair, &pairs);
        MPI_Get_elements(&status, pair, &elements);
        if (pairs != MPI_UNDEFINED || elements != 3)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
