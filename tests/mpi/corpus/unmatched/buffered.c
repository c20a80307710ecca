/* A buffered send has left the sender, but nobody receives it.
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
    int x = 1;
    static char space[1000 + MPI_BSEND_OVERHEAD];
    MPI_Buffer_attach(space, sizeof space);
    if (rank == 0)
        MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
