/* Each rank talks to the rank of the same number in the other group.
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
    int x = rank, y, mine;
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Comm_rank(half, &mine);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 7, &between);
    MPI_Sendrecv(&x, 1, MPI_INT, mine, 0, &y, 1, MPI_INT, mine, 0, between, MPI_STATUS_IGNORE);
    if (y != (rank + 2) % 4)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
