/* Both ranks test in a loop for a message that the other would send only afterwards.
 *
 * ranks: 2
 * goal: deadlock
 * names: R0 | R1 | MPI_Test | {A} | {S} | from rank 0 with tag 0 | from rank 1 with tag 0
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine = rank, theirs, other = 1 - rank, done = 0;
    MPI_Request request;
    MPI_Irecv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request); /* S */
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* A */
    MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
