/* A local reduction reads and writes overlapping parts of one array.
 *
 * ranks: 1
 * goal: parameter
 * names: MPI_Reduce_local | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x[5] = {1, 2, 3, 4, 5};
    MPI_Reduce_local(x, x + 2, 3, MPI_INT, MPI_SUM); /* A */
    MPI_Finalize();
    return 0;
}
