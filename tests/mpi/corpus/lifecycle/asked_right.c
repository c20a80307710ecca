/* Some calls are allowed before MPI_Init and after MPI_Finalize.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(void)
{
    int before, within, after, version, subversion;
    MPI_Initialized(&before);
    MPI_Get_version(&version, &subversion);
    MPI_Init(NULL, NULL);
    MPI_Initialized(&within);
    MPI_Finalize();
    MPI_Finalized(&after);
    return !(before == 0 && within == 1 && after == 1 && version >= 3);
}
