/* The program takes for granted that rank 1 comes first.
 *
 * ranks: 3
 * goal: race
 * names: R0 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y[2];
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&y[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE); /* A */
        if (y[0] != 1)
            MPI_Abort(MPI_COMM_WORLD, 1);
    } else
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
