/* The root sends before it broadcasts, its receiver receives after the broadcast.
 *
 * ranks: 3
 * goal: deadlock/buffering
 * names: R0 | R2 | MPI_Send | MPI_Bcast | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1, y = 2;
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD); /* A */
    MPI_Bcast(&y, 1, MPI_INT, 0, MPI_COMM_WORLD);       /* B */
    if (rank == 2)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
