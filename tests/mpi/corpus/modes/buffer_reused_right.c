/* MPI_Buffer_detach waits, so the buffer is free for the next messages.
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
    static char space[sizeof(int) + MPI_BSEND_OVERHEAD];
    int x, length = sizeof space;
    void *back;
    for (int i = 0; i < 5; i++) {
        MPI_Buffer_attach(space, sizeof space);
        if (rank == 0)
            MPI_Bsend(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        else {
            MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (x != i)
                MPI_Abort(MPI_COMM_WORLD, 1);
        }
        MPI_Buffer_detach(&back, &length);
        if (back != space || length != (int)sizeof space)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
