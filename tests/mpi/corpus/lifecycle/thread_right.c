/* A thread level is asked for, and the granted one is at least the lowest.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(void)
{
    int granted, asked, main_thread;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &granted);
    MPI_Query_thread(&asked);
    MPI_Is_thread_main(&main_thread);
    if (granted != asked || granted < MPI_THREAD_SINGLE || !main_thread)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
