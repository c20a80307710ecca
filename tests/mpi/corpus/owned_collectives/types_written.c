/* A rank changes a block of a collective with a type for each block before it has ended.
 *
 * ranks: 3
 * goal: buffer
 * names: R1 | MPI_Ialltoallw | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int out[3] = {0}, in[3], one[3] = {1, 1, 1}, places[3] = {0, 4, 8};
    MPI_Datatype types[3] = {MPI_INT, MPI_INT, MPI_INT};
    MPI_Request request;
    MPI_Ialltoallw(out, one, places, types, in, one, places, types, MPI_COMM_WORLD,
                   &request); /* A */
    if (rank == 1)
        out[2] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
