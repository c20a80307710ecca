/* The ranks of one side differ in whether they come last.
 *
 * ranks: 4
 * goal: parameter/mismatch
 * names: MPI_Intercomm_merge | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm half, both, one;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 3, &both);
    MPI_Intercomm_merge(both, rank == 1, &one); /* A */
    MPI_Comm_free(&one);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
