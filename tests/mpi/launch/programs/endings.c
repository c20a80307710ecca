/* Ends rank 2 in the way that the argument names; "both" is all ranks, by a signal. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank;
static const char *way;

static void *leave(void *argument)
{
    exit(6);
    return argument;
}

static int overflow(int depth)
{
    volatile char block[65536];
    block[depth % 65536] = (char)depth;
    return depth < 0 ? 0 : overflow(depth + 1) + block[0];
}

static int end(void)
{
    pthread_t thread;
    if (strcmp(way, "exit") == 0)
        exit(7);
    if (strcmp(way, "_exit") == 0)
        _exit(8);
    if (strcmp(way, "return") == 0)
        return 9;
    if (strcmp(way, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 42);
    if (strcmp(way, "thread") == 0 && pthread_create(&thread, NULL, leave, NULL) == 0)
        pthread_join(thread, NULL);
    if (strcmp(way, "segfault") == 0)
        *(volatile int *)8 = 1;
    if (strcmp(way, "overflow") == 0)
        return overflow(0);
    if (strcmp(way, "loop") == 0) {
        for (;;)
            sleep(1);
    }
    return 0;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(way, "both") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        *(volatile int *)8 = 1;
    }
    if (strcmp(way, "finalized") != 0 && rank == 2)
        return end();
    MPI_Finalize();
    if (rank == 2)
        exit(strcmp(way, "finalized") == 0 ? 5 : 0);
    return 0;
}
