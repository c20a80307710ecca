/* Both sides of an intercommunicator take the other one for the receiver, and no rank is the root.
 *
 * ranks: 2
 * goal: mismatch
 * names: {A} | MPI_ROOT
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, value = 1;
    MPI_Comm both;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 1, &both);
    MPI_Bcast(&value, 1, MPI_INT, MPI_PROC_NULL, both); /* A */
    MPI_Comm_free(&both);
    MPI_Finalize();
    return 0;
}
