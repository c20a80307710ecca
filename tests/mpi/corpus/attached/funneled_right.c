/* A thread computes, and only the first thread calls MPI.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>
#include <pthread.h>

static void *compute(void *of)
{
    *(int *)of += 40;
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, x, first;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Is_thread_main(&first);
    x = rank;
    pthread_create(&thread, NULL, compute, &x);
    pthread_join(thread, NULL);
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (x != 81 || !first || level < MPI_THREAD_FUNNELED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
