/* A rank of the world is too large for the part that it is used in.
 *
 * ranks: 4
 * goal: parameter
 * names: R0 | MPI_Send | 2 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    MPI_Comm even;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &even);
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 2, 0, even); /* A */
    else if (rank == 2)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, even, MPI_STATUS_IGNORE);
    MPI_Comm_free(&even);
    MPI_Finalize();
    return 0;
}
