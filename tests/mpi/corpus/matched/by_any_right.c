/* The result does not depend on which message is taken first.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, sum = 0;
    MPI_Message message;
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
            MPI_Mrecv(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
            sum += x;
        }
        printf("the sum is %d\n", sum);
    } else
        MPI_Send(&x, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
