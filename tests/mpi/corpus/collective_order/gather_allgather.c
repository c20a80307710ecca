/* The last rank gathers everywhere, the others at rank 0.
 *
 * ranks: 3
 * goal: mismatch
 * names: R2 | MPI_Gather | MPI_Allgather | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int all[3];
    if (rank == size - 1)
        MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD); /* A */
    else
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
