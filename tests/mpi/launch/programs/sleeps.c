/* Ranks that wait for others by looking again and again, and sleep or yield between their looks. On
 * one worker nobody goes on if they keep the worker. Compiled with -fno-private, so that they share
 * what they look at. */
#include <mpi.h>

#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static _Atomic int turn;
static int ends[2];

static void pause_by(int way)
{
    const struct timespec little = {.tv_nsec = 1000};
    struct timespec soon;
    struct timeval wait = {.tv_usec = 1};
    switch (way) {
    case 0:
        usleep(1);
        break;
    case 1:
        nanosleep(&little, NULL);
        break;
    case 2:
        sched_yield();
        break;
    case 3:
        thrd_yield();
        break;
    case 4:
        poll(NULL, 0, 1);
        break;
    case 5:
        select(0, NULL, NULL, NULL, &wait);
        break;
    case 6:
        clock_gettime(CLOCK_MONOTONIC, &soon);
        soon.tv_sec += soon.tv_nsec >= 999000000;
        soon.tv_nsec = (soon.tv_nsec + 1000000) % 1000000000;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &soon, NULL);
        break;
    case 7:
        thrd_sleep(&little, NULL);
        break;
    }
}

/* From the last rank to the first. */
static void by_turns(int rank, int size)
{
    for (int way = 0; way < 8; way++) {
        while (turn != way * size + size - 1 - rank)
            pause_by(way);
        turn++;
    }
}

/* Rank 0 waits for a file that the last rank fills afterwards. */
static int by_file(int rank, int size)
{
    char word[5] = "";
    struct pollfd file = {.events = POLLIN};
    fd_set set;
    if (rank == 0 && pipe(ends) != 0)
        return 1;
    for (int way = 0; way < 2; way++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            file.fd = ends[0];
            FD_ZERO(&set);
            FD_SET(ends[0], &set);
            turn = -1;
            const int ready =
                way ? poll(&file, 1, -1) : select(ends[0] + 1, &set, NULL, NULL, NULL);
            if (ready != 1 || (way ? file.revents != POLLIN : !FD_ISSET(ends[0], &set)) ||
                read(ends[0], word, sizeof word) != sizeof word || strcmp(word, "word") != 0)
                return 1;
        } else if (rank == size - 1) {
            while (turn != -1)
                usleep(10);
            if (write(ends[1], "word", sizeof word) != sizeof word)
                return 1;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            turn = 0;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int rank, size, word = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    by_turns(rank, size);
    if (by_file(rank, size) != 0)
        return 1;
    if (nanosleep(&(struct timespec){.tv_nsec = 1000000000}, NULL) != -1)
        return 2;
    /* All others wait while rank 0 sleeps. */
    if (rank == 0)
        usleep(50000);
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (argc > 1) { /* then all wait */
        sleep(0);
        usleep(1000);
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("rank %d right\n", rank);
    MPI_Finalize();
    return 0;
}
