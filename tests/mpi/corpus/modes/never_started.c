/* A persistent receive is made, waited for and freed, and never started.
 *
 * ranks: 2
 * goal: request
 * names: R0 | MPI_Recv_init | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    MPI_Request request;
    MPI_Recv_init(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
