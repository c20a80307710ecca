/* Rank 0 makes a barrier where the others split the world.
 *
 * ranks: 3
 * goal: mismatch
 * names: R0 | MPI_Barrier | MPI_Comm_split | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm part;
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD); /* A */
    else {
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &part); /* B */
        MPI_Comm_free(&part);
    }
    MPI_Finalize();
    return 0;
}
