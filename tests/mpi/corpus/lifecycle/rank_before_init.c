/* The rank is asked for before MPI_Init.
 *
 * ranks: 2
 * goal: lifecycle
 * names: MPI_Comm_rank | MPI_Init | {A}
 */
#include <mpi.h>

int main(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* A */
    MPI_Init(NULL, NULL);
    MPI_Finalize();
    return 0;
}
