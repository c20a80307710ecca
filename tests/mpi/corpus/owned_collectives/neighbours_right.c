/* Ranks read what their neighbours get, and write elsewhere.
 *
 * ranks: 3
 * goal: right
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
    int kept = out[0];
    MPI_Ineighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, ring, &request);
    kept += out[0];
    out[1] = kept;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    in[0] = out[0] = 0;
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
