/* Both ranks send megabytes before they receive; hardly any MPI buffers that much.
 *
 * ranks: 2
 * goal: deadlock/buffering
 * names: R0 | R1 | MPI_Send | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static char x[4000000], y[4000000];
    int other = 1 - rank;
    MPI_Send(x, sizeof x, MPI_CHAR, other, 0, MPI_COMM_WORLD); /* A */
    MPI_Recv(y, sizeof y, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
