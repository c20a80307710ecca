/* A message without contents is a message too.
 *
 * ranks: 2
 * goal: unmatched/deadlock
 * names: R0 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
