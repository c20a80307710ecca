/* Both ranks send and then test in a loop; the loop ends because the message is under way.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine = rank, theirs, other = 1 - rank, done = 0;
    MPI_Request in, out;
    MPI_Irecv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &in);
    MPI_Isend(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &out);
    while (!done)
        MPI_Test(&in, &done, MPI_STATUS_IGNORE);
    MPI_Wait(&out, MPI_STATUS_IGNORE);
    if (theirs != other)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
