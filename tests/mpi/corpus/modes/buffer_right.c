/* The attached buffer has the size that MPI_Pack_size and the overhead give for two messages.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 3, length;
    MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &length);
    length = 2 * (length + MPI_BSEND_OVERHEAD);
    char *space = malloc(length);
    MPI_Buffer_attach(space, length);
    if (rank == 0)
        for (int i = 0; i < 2; i++)
            MPI_Bsend(&x, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        for (int i = 1; i >= 0; i--)
            MPI_Recv(&x, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&space, &length);
    free(space);
    MPI_Finalize();
    return 0;
}
