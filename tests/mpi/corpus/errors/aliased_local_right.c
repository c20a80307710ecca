/* A local reduction of one half of an array into the other.
 *
 * ranks: 1
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x[6] = {1, 2, 3, 4, 5, 6};
    MPI_Reduce_local(x, x + 3, 3, MPI_INT, MPI_SUM);
    if (x[5] != 9)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
