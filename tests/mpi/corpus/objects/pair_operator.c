/* MPI_MAXLOC wants pairs of a value and a place.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Allreduce | MPI_MAXLOC | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[2] = {rank, rank}, y[2];
    MPI_Allreduce(x, y, 2, MPI_INT, MPI_MAXLOC, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
