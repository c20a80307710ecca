/* Both ranks look in a loop for a message that the other would send only afterwards.
 *
 * ranks: 2
 * goal: deadlock
 * names: R0 | R1 | MPI_Iprobe | {A} | from rank 0 with tag 0 | from rank 1 with tag 0
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine = rank, theirs, other = 1 - rank, there = 0;
    while (!there)
        MPI_Iprobe(other, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); /* A */
    MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
