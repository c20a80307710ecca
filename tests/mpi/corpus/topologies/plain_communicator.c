/* The world has no grid to shift in.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Cart_shift | MPI_COMM_WORLD/topology/cartesian/grid | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int from, to;
    MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &from, &to); /* A */
    MPI_Finalize();
    return 0;
}
