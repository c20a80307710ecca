/* A thread that waits for the signals that end the program, and for its deadline: whatever the
 * processors are in the middle of, the rows that are there are kept. */
#include "bench.h"

#include "command.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define NEW_DEADLINE SIGUSR1

static pthread_t watcher;

static void watched_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, NEW_DEADLINE);
}

double bench_end_in(const struct bench *bench)
{
    return (double)(bench->deadline - batch_now_ns()) / 1e9;
}

static void end(const struct bench *bench, int number)
{
    bool printed = bench_print_end(bench, false);
    if (number > 0)
        fprintf(stderr, "kport bench: ended by a signal; %zu of %zu rows are done\n",
                bench->rows_done, bench->row_count);
    else
        fprintf(stderr,
                "kport bench: the time announced is over; %zu of %zu rows are done; --seconds "
                "allows more\n",
                bench->rows_done, bench->row_count);
    _exit(!printed || number <= 0 ? EXIT_FAILED : 128 + number);
}

static void *watch(void *argument)
{
    const struct bench *bench = argument;
    sigset_t set;
    watched_signals(&set);
    for (;;) {
        double left = bench->deadline ? bench_end_in(bench) : 3600;
        struct timespec wait = {.tv_sec = 0, .tv_nsec = 1};
        if (left > 0)
            wait = (struct timespec){(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
        int number = sigtimedwait(&set, NULL, &wait);
        if (number == SIGINT || number == SIGTERM)
            end(bench, number);
        if (number < 0 && errno == EAGAIN && bench->deadline && bench_end_in(bench) <= 0)
            end(bench, 0);
    }
    return NULL;
}

bool bench_end_watch(const struct bench *bench)
{
    sigset_t set;
    watched_signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (pthread_create(&watcher, NULL, watch, (void *)bench) == 0)
        return true;
    fprintf(stderr, "kport bench: no thread to wait for signals\n");
    return false;
}

void bench_end_by(struct bench *bench, double seconds)
{
    bench->deadline = batch_now_ns() + (int64_t)(seconds * 1e9);
    pthread_kill(watcher, NEW_DEADLINE);
}
