/* Two halves become one again, the upper half first.
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
    int mine;
    MPI_Comm half, between, whole;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 7, &between);
    MPI_Intercomm_merge(between, rank < 2, &whole);
    MPI_Comm_rank(whole, &mine);
    if (mine != (rank + 2) % 4)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&whole);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
