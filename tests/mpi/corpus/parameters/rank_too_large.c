/* The ranks go from 0 to 1, and the message is for rank 2.
 *
 * ranks: 2
 * goal: parameter
 * names: R0 | MPI_Send | 2 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int x = 1;
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, size, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
