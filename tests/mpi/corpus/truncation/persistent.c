/* A persistent receive is long enough for the first message, not for the second.
 *
 * ranks: 2
 * goal: truncation
 * names: R1 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[2] = {0};
    if (rank == 0) {
        MPI_Send(x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(x, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Recv_init(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 2; i++) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE); /* A */
        }
        MPI_Request_free(&request);
    }
    MPI_Finalize();
    return 0;
}
