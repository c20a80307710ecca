/* All ranks leave the iteration by a condition that they have in common.
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
    double error = 1.0, worst = 1.0;
    int steps = 0;
    while (worst >= 0.01) {
        error /= 2 + rank;
        MPI_Allreduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        steps++;
    }
    if (steps != 7)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
