/* Messages between two sides, then both sides become one.
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
    int x = rank, y, all;
    MPI_Comm half, both, one;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &both);
    MPI_Sendrecv(&x, 1, MPI_INT, rank / 2, 0, &y, 1, MPI_INT, rank / 2, 0, both, MPI_STATUS_IGNORE);
    MPI_Intercomm_merge(both, rank % 2, &one);
    MPI_Comm_rank(one, &all);
    if (y != (rank ^ 1) || all != rank / 2 + rank % 2 * 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&one);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
