/* Rank 1 reduces in a duplicate of the world, the others in the world.
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
    int x = rank, sum;
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, rank == 1 ? copy : MPI_COMM_WORLD); /* A */
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
