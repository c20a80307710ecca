/* The two sides of an intercommunicator combine by different operators.
 *
 * ranks: 4
 * goal: mismatch
 * names: {A} | MPI_MAX | MPI_SUM
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, sum, one = 1;
    MPI_Comm side, both;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &both);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, rank % 2 ? MPI_SUM : MPI_MAX, both); /* A */
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
