/* Both sides of an intercommunicator are the root of the broadcast.
 *
 * ranks: 2
 * goal: mismatch/deadlock/unmatched
 * names: R0 | R1 | MPI_Bcast | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Comm both;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 1, &both);
    MPI_Bcast(&value, 1, MPI_INT, MPI_ROOT, both); /* A */
    MPI_Comm_free(&both);
    MPI_Finalize();
    return 0;
}
