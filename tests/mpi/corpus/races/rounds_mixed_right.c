/* Messages of two rounds have different tags.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 2; round++)
        if (rank == 0)
            for (int i = 1; i < size; i++) {
                int x;
                MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                if (x != round)
                    MPI_Abort(MPI_COMM_WORLD, 1);
            }
        else
            MPI_Send(&round, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
