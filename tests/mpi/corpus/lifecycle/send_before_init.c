/* A message is sent before MPI_Init.
 *
 * ranks: 2
 * goal: lifecycle
 * names: MPI_Send | MPI_Init | {A}
 */
#include <mpi.h>

int main(void)
{
    int x = 1;
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* A */
    MPI_Init(NULL, NULL);
    MPI_Finalize();
    return 0;
}
