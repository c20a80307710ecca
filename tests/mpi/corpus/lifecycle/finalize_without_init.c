/* MPI_Finalize comes without MPI_Init.
 *
 * ranks: 2
 * goal: lifecycle
 * names: MPI_Finalize | {A}
 */
#include <mpi.h>

int main(void)
{
    MPI_Finalize(); /* A */
    return 0;
}
