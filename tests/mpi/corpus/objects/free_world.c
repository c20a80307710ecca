/* MPI_COMM_WORLD is freed.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Comm_free | MPI_COMM_WORLD | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Comm_free(&comm); /* A */
    MPI_Finalize();
    return 0;
}
