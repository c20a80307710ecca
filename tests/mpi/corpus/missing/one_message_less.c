/* Three messages are sent and four are expected.
 *
 * ranks: 2
 * goal: deadlock
 * names: R1 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 0;
    if (rank == 0)
        for (int i = 0; i < 3; i++)
            MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        for (int i = 0; i < 4; i++)
            MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    MPI_Finalize();
    return 0;
}
