/* A rank changes what it tells the other side of an intercommunicator before the call has ended.
 *
 * ranks: 4
 * goal: buffer
 * names: R0 | R3 | MPI_Iallgather | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int out = rank, in[2];
    MPI_Comm side, both;
    MPI_Request request;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    MPI_Iallgather(&out, 1, MPI_INT, in, 1, MPI_INT, both, &request); /* A */
    out = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
