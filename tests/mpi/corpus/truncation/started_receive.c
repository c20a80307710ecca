/* The receive was started before its message came, and is too short.
 *
 * ranks: 2
 * goal: truncation
 * names: R1 | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[3] = {1, 2, 3};
    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(x, 3, MPI_INT, 1, 0, MPI_COMM_WORLD); /* B */
    } else {
        MPI_Request request;
        MPI_Irecv(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* A */
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
