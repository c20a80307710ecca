/* The even ranks broadcast among themselves, the odd ones expect it from the world.
 *
 * ranks: 4
 * goal: deadlock/mismatch
 * names: R1 | R3 | MPI_Bcast | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (rank % 2 == 0)
        MPI_Bcast(&x, 1, MPI_INT, 0, half);
    else
        MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); /* A */
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
