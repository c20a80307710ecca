/* A copy of a freed persistent request is started.
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
        MPI_Request request, copy;
        MPI_Send_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        copy = request;
        MPI_Request_free(&request);
        MPI_Start(&copy); /* A */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
