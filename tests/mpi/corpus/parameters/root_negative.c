/* The root is negative.
 *
 * ranks: 3
 * goal: parameter
 * names: MPI_Reduce | root | -1 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x = 1, y;
    MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, -1, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
