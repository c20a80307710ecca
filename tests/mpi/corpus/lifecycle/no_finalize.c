/* No rank calls MPI_Finalize.
 *
 * ranks: 2
 * goal: lifecycle
 * names: R0 | R1 | MPI_Finalize
 */
#include <mpi.h>

int main(void)
{
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return 0;
}
