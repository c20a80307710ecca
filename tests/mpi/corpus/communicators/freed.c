/* A duplicate is used after it was freed.
 *
 * ranks: 2
 * goal: parameter/lifecycle
 * names: MPI_Barrier | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm copy, other;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    other = copy;
    MPI_Comm_free(&copy);
    MPI_Barrier(other); /* A */
    MPI_Finalize();
    return 0;
}
