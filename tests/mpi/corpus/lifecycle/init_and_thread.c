/* MPI_Init_thread comes after MPI_Init.
 *
 * ranks: 2
 * goal: lifecycle
 * names: MPI_Init_thread | {A}
 */
#include <mpi.h>

int main(void)
{
    int level;
    MPI_Init(NULL, NULL);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &level); /* A */
    MPI_Finalize();
    return 0;
}
