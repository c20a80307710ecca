/* A thread of each rank completes the general request for which the rank waits. With "late" the
 * thread has ended before. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static MPI_Request request;

static int query(void *state, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, *(int *)state);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *state)
{
    *(int *)state = 0;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

static void *complete(void *argument)
{
    if (!argument) {
        usleep(50000); /* the rank's first thread waits meanwhile */
        MPI_Grequest_complete(request);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int granted, rank, state = 3, count;
    MPI_Status status;
    pthread_t thread;
    void *late = argc > 1 ? &state : NULL;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Grequest_start(query, release, cancel, &state, &request);
    pthread_create(&thread, NULL, complete, late);
    if (late)
        pthread_join(thread, NULL);
    MPI_Wait(&request, &status); /* here */
    MPI_Get_count(&status, MPI_INT, &count);
    printf("rank %d: %d items, state %d\n", rank, count, state);
    pthread_join(thread, NULL);
    return MPI_Finalize();
}
