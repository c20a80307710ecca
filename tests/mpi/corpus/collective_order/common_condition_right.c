/* All ranks branch by a value that they have in common.
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
    int x = 3 * rank, largest, all[3];
    MPI_Allreduce(&x, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (largest > 5)
        MPI_Allgather(&x, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    else
        MPI_Barrier(MPI_COMM_WORLD);
    if (all[2] != 6)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
