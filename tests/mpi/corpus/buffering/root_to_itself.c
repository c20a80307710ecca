/* The root of a scatter by hand sends to itself too, before it receives.
 *
 * ranks: 3
 * goal: deadlock/buffering
 * names: R0 | MPI_Send | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine;
    if (rank == 0)
        for (int i = 0; i < size; i++)
            MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD); /* A */
    MPI_Recv(&mine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
