/* An attribute's key is MPI_KEYVAL_INVALID.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Comm_set_attr | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, NULL); /* A */
    MPI_Finalize();
    return 0;
}
