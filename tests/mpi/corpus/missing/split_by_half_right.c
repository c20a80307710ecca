/* All ranks call MPI_Comm_split; the odd ones ask for no communicator.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm even;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == 0 ? 0 : MPI_UNDEFINED, -rank, &even);
    if (rank % 2 == 0) {
        int mine;
        MPI_Comm_rank(even, &mine);
        if (mine != (rank == 2 ? 0 : 1))
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Comm_free(&even);
    } else if (even != MPI_COMM_NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
