/* A rank writes to the memory into which its neighbours' blocks come.
 *
 * ranks: 3
 * goal: buffer
 * names: R0 | R1 | R2 | {A}
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
    int one[2] = {1, 1}, places[2] = {1, 0};
    in[0] = in[1] = 0;
    MPI_Neighbor_alltoallv_init(out, one, places, MPI_INT, in, one, places, MPI_INT, ring,
                                MPI_INFO_NULL, &request);
    MPI_Start(&request); /* A */
    in[0]++;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
