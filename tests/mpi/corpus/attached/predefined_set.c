/* A program may not set a predefined attribute.
 *
 * ranks: 1
 * goal: parameter
 * names: R0 | MPI_Comm_set_attr | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int value = 10;
    MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value); /* A */
    MPI_Finalize();
    return 0;
}
