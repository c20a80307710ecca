/* The server answers with tag 0, the client waits for tag 5.
 *
 * ranks: 2
 * goal: deadlock
 * names: R0 | R1 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* B */
    }
    MPI_Finalize();
    return 0;
}
