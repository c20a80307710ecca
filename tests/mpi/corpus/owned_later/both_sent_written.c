/* A rank changes what it sends before the call has ended.
 *
 * ranks: 2
 * goal: buffer
 * names: R0 | MPI_Isendrecv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int out = rank, in;
    MPI_Request request;
    MPI_Isendrecv(&out, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                  &request); /* A */
    if (rank == 0)
        out = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
