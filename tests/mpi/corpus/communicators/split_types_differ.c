/* The ranks split a communicator by types that differ.
 *
 * ranks: 3
 * goal: mismatch/parameter
 * names: MPI_Comm_split_type | MPI_COMM_TYPE_SHARED | MPI_COMM_TYPE_HW_UNGUIDED | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int type = rank == 1 ? MPI_COMM_TYPE_HW_UNGUIDED : MPI_COMM_TYPE_SHARED;
    MPI_Comm part;
    MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &part); /* A */
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
