/* The server answers rank 1, whoever has asked.
 *
 * ranks: 3
 * goal: deadlock
 * names: R2 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (i == 0)
                MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        }
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    }
    MPI_Finalize();
    return 0;
}
