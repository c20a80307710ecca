/* A receive is started, and its message never sent.
 *
 * ranks: 3
 * goal: deadlock
 * names: R1 | MPI_Wait | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x;
    if (rank == 1) {
        MPI_Request request;
        MPI_Irecv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* A */
    }
    MPI_Finalize();
    return 0;
}
