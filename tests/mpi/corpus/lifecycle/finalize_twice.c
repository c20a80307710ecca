/* MPI_Finalize is called twice.
 *
 * ranks: 2
 * goal: lifecycle
 * names: MPI_Finalize | {A}
 */
#include <mpi.h>

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Finalize();
    MPI_Finalize(); /* A */
    return 0;
}
