/* A rank changes what its neighbours get before the call has ended.
 *
 * ranks: 3
 * goal: buffer
 * names: R0 | R1 | R2 | MPI_Ineighbor_alltoall | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int size[1] = {3}, round[1] = {1}, out[2] = {rank, rank}, in[2];
    MPI_Comm ring;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 1, size, round, 0, &ring);
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring, &request); /* A */
    out[1] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
