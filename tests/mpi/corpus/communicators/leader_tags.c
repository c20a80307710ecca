/* The two sides of an intercommunicator name different tags for their leaders.
 *
 * ranks: 2
 * goal: deadlock/mismatch
 * names: R0 | R1 | MPI_Intercomm_create | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm between;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, rank, &between); /* A */
    MPI_Comm_free(&between);
    MPI_Finalize();
    return 0;
}
