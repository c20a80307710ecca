/* A rank that wants no part of the split gives no type.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int type = rank == 1 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED;
    MPI_Comm part;
    MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &part);
    if ((part == MPI_COMM_NULL) != (rank == 1))
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
