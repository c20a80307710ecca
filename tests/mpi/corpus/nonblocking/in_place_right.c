/* Non-blocking collectives in place, whose results are compared.
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
    MPI_Request r[5];
    int sum[2] = {rank, 1}, blocks[3] = {rank, rank, rank}, all[3] = {-1, -1, -1};
    int change[3] = {10 * rank, 10 * rank + 1, 10 * rank + 2}, prefix = rank;
    all[rank] = rank;
    MPI_Iallreduce(MPI_IN_PLACE, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[0]);
    MPI_Ireduce_scatter_block(MPI_IN_PLACE, blocks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[1]);
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &r[2]);
    MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_INT, change, 1, MPI_INT, MPI_COMM_WORLD, &r[3]);
    MPI_Iscan(MPI_IN_PLACE, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[4]);
    MPI_Waitall(5, r, MPI_STATUSES_IGNORE);
    int wrong = sum[0] != 3 || sum[1] != 3 || blocks[0] != 3 || prefix != rank * (rank + 1) / 2;
    for (int i = 0; i < 3; i++)
        wrong = wrong || all[i] != i || change[i] != 10 * i + rank;
    if (wrong)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
