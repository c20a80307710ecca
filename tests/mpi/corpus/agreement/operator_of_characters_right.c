/* Small integers may be combined.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signed char x = (signed char)rank, y;
    MPI_Allreduce(&x, &y, 1, MPI_SIGNED_CHAR, MPI_LOR, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
