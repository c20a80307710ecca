/* Rank 1 says that it is in the root's group, and nobody is the root.
 *
 * ranks: 4
 * goal: mismatch/deadlock
 * names: MPI_Bcast | {A}
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
    MPI_Bcast(&x, 1, MPI_INT, rank < 2 ? MPI_PROC_NULL : 0, between); /* A */
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
