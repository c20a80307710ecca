/* Gathers with counts, exchanges and scans are under way at the same time.
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
    int counts[3] = {0, 1, 2}, places[3] = {0, 0, 1}, x[3] = {rank, rank, rank}, all[3], in[3],
        prefix = 0;
    MPI_Request requests[3];
    MPI_Iallgatherv(x, counts[rank], MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD,
                    &requests[0]);
    MPI_Ialltoall(x, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, &requests[1]);
    MPI_Iexscan(x, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    if (all[0] != 1 || all[2] != 2 || in[2] != 2 || (rank == 2 && prefix != 1))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
