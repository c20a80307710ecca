/* An active receive is freed; nobody can know when its buffer may be read.
 *
 * ranks: 2
 * goal: request
 * names: R0 | MPI_Request_free | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 0;
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request); /* A */
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        x = 1;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
