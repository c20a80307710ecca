/* The root is as large as the number of ranks.
 *
 * ranks: 3
 * goal: parameter
 * names: MPI_Bcast | root | 3 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int x = 1;
    MPI_Bcast(&x, 1, MPI_INT, size, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
