/* The largest tag is an attribute of the world.
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
    int x = 1, found, *largest;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &found);
    if (!found || *largest < 32767)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, *largest, MPI_COMM_WORLD);
    else
        MPI_Recv(&x, 1, MPI_INT, 0, *largest, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
