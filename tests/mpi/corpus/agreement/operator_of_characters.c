/* Characters are not combined.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Allreduce | MPI_LOR | MPI_CHAR | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char x = (char)rank, y;
    MPI_Allreduce(&x, &y, 1, MPI_CHAR, MPI_LOR, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
