/* Both ranks send before they receive, with a buffer that they attached for that.
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
    static char space[100 + MPI_BSEND_OVERHEAD];
    int x = rank, y, other = 1 - rank, length = sizeof space;
    void *back;
    MPI_Buffer_attach(space, length);
    MPI_Bsend(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Recv(&y, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&back, &length);
    if (y != other)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
