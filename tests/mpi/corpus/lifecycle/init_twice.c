/* MPI_Init is called twice.
 *
 * ranks: 2
 * goal: lifecycle
 * names: MPI_Init | {A}
 */
#include <mpi.h>

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Init(NULL, NULL); /* A */
    MPI_Finalize();
    return 0;
}
