/* The operator is MPI_OP_NULL.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Allreduce | MPI_OP_NULL | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y;
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
