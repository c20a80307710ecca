/* Both ranks look for a message before they send one.
 *
 * ranks: 2
 * goal: deadlock
 * names: R0 | R1 | MPI_Probe | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine = rank, theirs, other = 1 - rank;
    MPI_Probe(other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
