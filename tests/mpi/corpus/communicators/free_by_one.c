/* Rank 1 frees the duplicate, the others keep it until the end.
 *
 * ranks: 3
 * goal: leak
 * names: R0 | R2 | communicator | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* A */
    if (rank == 1)
        MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
