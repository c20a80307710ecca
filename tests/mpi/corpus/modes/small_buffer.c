/* The attached buffer is too small for the message.
 *
 * ranks: 2
 * goal: parameter/buffering/mode
 * names: R0 | MPI_Bsend | buffer | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static double x[1000];
    static char space[100 + MPI_BSEND_OVERHEAD];
    int length = sizeof space;
    void *back;
    MPI_Buffer_attach(space, length);
    if (rank == 0)
        MPI_Bsend(x, 1000, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Recv(x, 1000, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&back, &length);
    MPI_Finalize();
    return 0;
}
