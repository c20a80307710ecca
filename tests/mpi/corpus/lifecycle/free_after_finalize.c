/* A communicator is freed after MPI_Finalize.
 *
 * ranks: 2
 * goal: lifecycle/leak
 * names: MPI_Comm_free/MPI_Comm_dup | MPI_Finalize/communicator
 */
#include <mpi.h>

int main(void)
{
    MPI_Comm copy;
    MPI_Init(NULL, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Finalize();
    MPI_Comm_free(&copy); /* A */
    return 0;
}
