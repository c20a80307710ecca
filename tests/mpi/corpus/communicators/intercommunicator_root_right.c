/* Rank 1 is the root, rank 0 is in its group, and the other group receives.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 7, &between);
    MPI_Bcast(&x, 1, MPI_INT, rank == 1 ? MPI_ROOT : rank == 0 ? MPI_PROC_NULL : 1, between);
    if (x != (rank == 0 ? 0 : 1))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
