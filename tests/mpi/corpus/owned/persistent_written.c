/* The buffer of a persistent send is written after its start.
 *
 * ranks: 2
 * goal: buffer
 * names: R0 | MPI_Start/MPI_Ssend_init | {A}
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
        MPI_Ssend_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Start(&request); /* A */
        x = 2;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
