/* Each worker sends two messages, and the collector takes one of each.
 *
 * ranks: 4
 * goal: unmatched/deadlock
 * names: {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int x = rank;
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Recv(&x, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else
        for (int i = 0; i < 2; i++)
            MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
