/* The attached buffer has room for one message, and two are under way.
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
    static char x[1000], space[1000 + MPI_BSEND_OVERHEAD];
    int length = sizeof space;
    void *back;
    MPI_Buffer_attach(space, length);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Bsend(x, 1000, MPI_CHAR, 1, i, MPI_COMM_WORLD); /* A */
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 2; i++)
            MPI_Recv(x, 1000, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Buffer_detach(&back, &length);
    MPI_Finalize();
    return 0;
}
