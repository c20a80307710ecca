/* A persistent send is started twice, its partner expects three messages.
 *
 * ranks: 2
 * goal: deadlock
 * names: R1 | MPI_Wait | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, times = rank == 0 ? 2 : 3;
    MPI_Request request;
    if (rank == 0)
        MPI_Send_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Recv_init(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < times; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* A */
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
