/* Ranks of the root's side that have MPI_PROC_NULL may give any operator.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, sum = 0;
    MPI_Comm side, both;
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &both);
    const int root = rank % 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Reduce(&rank, &sum, 1, MPI_INT, rank == 2 ? MPI_MIN : MPI_SUM, root, both);
    if (rank == 0 && sum != 4)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Ireduce(&rank, &sum, 1, MPI_INT, rank == 2 ? MPI_MIN : MPI_MAX, root, both, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0 && sum != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
