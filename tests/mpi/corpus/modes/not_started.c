/* The persistent send is never started, and its receiver waits.
 *
 * ranks: 2
 * goal: deadlock
 * names: R1 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 0) {
        MPI_Request request;
        MPI_Send_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    } else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    MPI_Finalize();
    return 0;
}
