/* A barrier comes after MPI_Finalize.
 *
 * ranks: 2
 * goal: lifecycle
 * names: MPI_Barrier | MPI_Finalize | {A}
 */
#include <mpi.h>

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Finalize();
    MPI_Barrier(MPI_COMM_WORLD); /* A */
    return 0;
}
