/* The message that is taken may be that of rank 1 or rank 2, and the result depends on it.
 *
 * ranks: 3
 * goal: race/deadlock
 * names: R0 | MPI_Mprobe | {A}
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, first;
    MPI_Message message;
    if (rank == 0) {
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /* A */
        MPI_Mrecv(&first, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 3 - first, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("the first is %d\n", first);
    } else
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
