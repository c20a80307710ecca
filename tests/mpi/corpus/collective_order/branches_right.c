/* Two branches of the program make the same calls with different buffers.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int sum = 0, result, unused;
    if (rank == 0) {
        sum = 100;
        MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Reduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        result = sum;
    } else {
        MPI_Bcast(&result, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Reduce(&rank, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    MPI_Bcast(rank == 0 ? &result : &unused, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if ((rank == 0 ? result : unused) != 106)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
