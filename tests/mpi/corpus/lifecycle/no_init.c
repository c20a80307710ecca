/* Nobody calls MPI_Init, and the first call is a barrier.
 *
 * ranks: 2
 * goal: lifecycle
 * names: MPI_Barrier | MPI_Init | {A}
 */
#include <mpi.h>

int main(void)
{
    MPI_Barrier(MPI_COMM_WORLD); /* A */
    return 0;
}
