/* The buffer has no room for what is packed.
 *
 * ranks: 1
 * goal: parameter/truncation
 * names: R0 | MPI_Pack | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x[4] = {1, 2, 3, 4}, position = 0;
    char buffer[12];
    MPI_Pack(x, 4, MPI_INT, buffer, 12, &position, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
