/* The master hands out all tasks but tells nobody that there are no more.
 *
 * ranks: 3
 * goal: deadlock
 * names: R1 | R2 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int task = 0, result;
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Send(&task, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
        for (int i = 1; i < size; i++)
            MPI_Recv(&result, 1, MPI_INT, i, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        for (;;) {
            MPI_Recv(&task, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
            if (task < 0)
                break;
            MPI_Send(&task, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
