/* Threads of a rank call MPI, one at a time. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 4
#define TIMES   50

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static int rank, size, granted, wrong, unguarded;
static int counter; /* guarded by `one`, unless the program is run with "race" */

/* Thread i of each rank talks to thread i of the neighbours. A thread that holds the mutex waits
 * for no message of a thread that wants it. */
static void *talk(void *number)
{
    const int tag = (int)(size_t)number;
    int main_thread = 1;
    if (unguarded)
        counter++; /* races with the others, as nothing orders the threads yet */
    for (int i = 0; i < TIMES; i++) {
        int mine = 1000 * rank + i, got = -1, done = 0;
        MPI_Request requests[2];
        pthread_mutex_lock(&one);
        counter++;
        MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, tag, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % size, tag, MPI_COMM_WORLD, &requests[1]);
        pthread_mutex_unlock(&one);
        while (!done) {
            pthread_mutex_lock(&one);
            MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
            pthread_mutex_unlock(&one);
        }
        pthread_mutex_lock(&one);
        wrong += got != 1000 * ((rank + size - 1) % size) + i;
        pthread_mutex_unlock(&one);
    }
    MPI_Is_thread_main(&main_thread);
    pthread_mutex_lock(&one);
    wrong += main_thread;
    pthread_mutex_unlock(&one);
    return NULL;
}

/* One other thread makes a collective call, and ends a request of the first thread. */
static void *collect(void *request)
{
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong += sum != size * (size - 1) / 2;
    MPI_Wait(request, MPI_STATUS_IGNORE);
    return NULL;
}

static void *send_at_once(void *none)
{
    int value = 1;
    (void)none;
    usleep(100000);
    MPI_Send(&value, 1, MPI_INT, rank, 0, MPI_COMM_WORLD); /* at once */
    return NULL;
}

static void *leave(void *none)
{
    (void)none;
    exit(4);
}

static void run(void *(*function)(void *), int count, void *argument)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, function, argument ? argument : (void *)(size_t)i);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int value, main_thread = 0;
    MPI_Request request;
    MPI_Init_thread(&argc, &argv,
                    strcmp(way, "funneled") ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Is_thread_main(&main_thread);
    wrong += !main_thread;
    unguarded = strcmp(way, "race") == 0;
    if (strcmp(way, "at once") == 0) {
        pthread_t thread;
        if (rank > 0)
            sleep(5); /* meanwhile rank 0 waits for a message */
        pthread_create(&thread, NULL, send_at_once, NULL);
        MPI_Recv(&value, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    }
    if (strcmp(way, "exit") == 0)
        run(leave, 1, NULL);
    run(talk, THREADS, NULL);
    MPI_Irecv(&value, 1, MPI_INT, (rank + size - 1) % size, 99, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 99, MPI_COMM_WORLD);
    run(collect, 1, &request);
    wrong += value != (rank + size - 1) % size;
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d granted %d %s\n", rank, granted, wrong ? "wrong" : "right");
    MPI_Finalize();
    return 0;
}
