/* Rank 1 leaves an iteration by a condition of its own; the others wait for it.
 *
 * ranks: 3
 * goal: deadlock/mismatch
 * names: R1 | MPI_Allreduce | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double error = 1.0, worst;
    for (int step = 0; step < 10; step++) {
        error /= 2 + rank;
        if (rank == 1 && error < 0.01)
            break;
        MPI_Allreduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* A */
    }
    MPI_Finalize();
    return 0;
}
