/* A rank sends to itself before it receives.
 *
 * ranks: 2
 * goal: deadlock/buffering
 * names: R1 | MPI_Send | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, y;
    if (rank == 1) {
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* A */
        MPI_Recv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
