/* MPI_IN_PLACE stands where the result is to go.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Allreduce | MPI_IN_PLACE | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    MPI_Allreduce(&x, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
