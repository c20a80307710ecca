/* The result has the messages' contents as digits, in the order in which they come.
 *
 * ranks: 3
 * goal: race
 * names: R0 | MPI_Recv | {A}
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, number = 0;
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE); /* A */
            number = 10 * number + x;
        }
        printf("%d\n", number);
    } else
        MPI_Send(&x, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
