/* A buffered send has copied its buffer when it returns.
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
    int x = 1, length = sizeof space;
    void *back;
    if (rank == 0) {
        MPI_Buffer_attach(space, length);
        MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        x = 2;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Buffer_detach(&back, &length);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (x != 1)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
