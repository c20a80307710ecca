/* The name of a communicator is NULL.
 *
 * ranks: 2
 * goal: parameter
 * names: {A} | comm_name
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_name(MPI_COMM_WORLD, NULL); /* A */
    MPI_Finalize();
    return 0;
}
