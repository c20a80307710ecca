/* A receiver takes everything that has come before a barrier.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, taken = 0, there = 1;
    if (rank != 0)
        for (int i = 0; i < 3; i++)
            MPI_Ssend(&x, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    else
        while (taken < 6) {
            MPI_Status status;
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
            if (!there)
                continue;
            MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            taken++;
        }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
