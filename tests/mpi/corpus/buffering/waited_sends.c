/* Both ranks wait for their started sends before they receive.
 *
 * ranks: 2
 * goal: deadlock/buffering
 * names: R0 | R1 | MPI_Wait | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y, other = 1 - rank;
    MPI_Request request;
    MPI_Isend(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* A */
    MPI_Recv(&y, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
