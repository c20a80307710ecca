/* A message ends in the middle of the receiver's pair, which is counted in elements.
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
    MPI_Datatype two;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    if (rank == 0)
        MPI_Send(x, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else {
        MPI_Status status;
        MPI_Recv(x, 2, two, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, two, &pairs);
        MPI_Get_elements(&status, two, &elements);
        if (pairs != MPI_UNDEFINED || elements != 3)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_free(&two);
    MPI_Finalize();
    return 0;
}
