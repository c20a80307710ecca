/* MPI has no scan on an intercommunicator.
 *
 * ranks: 2
 * goal: parameter/mismatch
 * names: MPI_Scan | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y;
    MPI_Comm both;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 1, &both);
    MPI_Scan(&x, &y, 1, MPI_INT, MPI_SUM, both); /* A */
    MPI_Comm_free(&both);
    MPI_Finalize();
    return 0;
}
