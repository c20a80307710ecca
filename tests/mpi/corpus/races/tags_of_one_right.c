/* With one sender, messages of any tag come in the order in which they were sent.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x;
    if (rank == 0)
        for (int i = 0; i < 4; i++)
            MPI_Send(&i, 1, MPI_INT, 1, 9 - i, MPI_COMM_WORLD);
    else
        for (int i = 0; i < 4; i++) {
            MPI_Status status;
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (x != i || status.MPI_TAG != 9 - i)
                MPI_Abort(MPI_COMM_WORLD, 1);
        }
    MPI_Finalize();
    return 0;
}
