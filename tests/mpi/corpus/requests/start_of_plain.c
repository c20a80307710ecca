/* MPI_Start is for persistent requests, this one is a plain receive.
 *
 * ranks: 2
 * goal: request/parameter
 * names: R0 | MPI_Start | {A}
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
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Start(&request); /* A */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
