/* The tag is the sender's rank on both sides.
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
    int x = rank, y;
    MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, rank, &y, 1, MPI_INT, 1 - rank, 1 - rank, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (y != 1 - rank)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
