/* A thread calls MPI though the program has asked for MPI_THREAD_SINGLE.
 *
 * ranks: 2
 * goal: thread
 * names: R0 | MPI_Send | {A}
 */
#include <mpi.h>
#include <pthread.h>

static void *send(void *to)
{
    int x = 1;
    MPI_Send(&x, 1, MPI_INT, *(int *)to, 0, MPI_COMM_WORLD); /* A */
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, to = 1, x;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, send, &to);
        pthread_join(thread, NULL);
    } else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
