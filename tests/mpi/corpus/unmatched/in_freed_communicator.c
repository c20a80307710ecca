/* A message is left in a communicator that is freed.
 *
 * ranks: 2
 * goal: unmatched/deadlock
 * names: R1 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 0, copy); /* A */
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
