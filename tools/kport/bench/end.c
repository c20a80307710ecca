/* Ends `kport bench` at the deadline or at a signal. A separate thread waits for the deadline and
 * for signals. So this thread can complete the printed output, no matter what the processors are
 * doing. */
#include "tools/kport/bench/bench.h"

#include "tools/kport/command.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define BEAT_NS INT64_C(200000000)
/* The thread wakes up every BEAT_NS nanoseconds. Even on a busy computer it wakes up at most
 * STOPPED_NS late. So if it wakes up still later, the whole program was stopped. */

#define STOPPED_NS INT64_C(1000000000)

static void watched_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

double bench_end_in(const struct bench *bench)
{
    return (double)(bench->deadline - batch_now_ns()) / 1e9;
}

static void end(const struct bench *bench, int number)
{
    bool printed = bench_print_end(bench, false);
    if (number > 0 && processes_prints())
        fprintf(stderr, "kport bench: ended by a signal; %zu of %zu rows are done\n",
                (size_t)bench->rows_done, bench->row_count);
    if (number <= 0)
        fprintf(stderr,
                "kport bench: the time announced is over; %zu of %zu rows are done; --seconds "
                "allows more%s\n",
                (size_t)bench->rows_done, bench->row_count,
                bench->with_peers ? ", and fewer peers (--peers=LIST) start sooner" : "");
    _exit(!printed || number <= 0 ? EXIT_FAILED : 128 + number);
}

static void *watch(void *argument)
{
    struct bench *bench = argument;
    const struct timespec beat = {.tv_nsec = BEAT_NS};
    sigset_t set;
    watched_signals(&set);
    for (;;) {
        int64_t before = batch_now_ns();
        int number = sigtimedwait(&set, NULL, &beat);
        if (number > 0)
            end(bench, number);
        int64_t late = batch_now_ns() - before - BEAT_NS;
        if (bench->deadline && late > STOPPED_NS)
            bench->deadline += late;
        if (bench->deadline && bench_end_in(bench) <= 0)
            end(bench, 0);
    }
    return NULL;
}

bool bench_end_watch(struct bench *bench)
{
    pthread_t watcher;
    sigset_t set;
    watched_signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (pthread_create(&watcher, NULL, watch, bench) == 0)
        return true;
    fprintf(stderr, "kport bench: no thread to wait for signals\n");
    return false;
}

void bench_end_by(struct bench *bench, double seconds)
{
    progress_until(seconds);
    if (processes_prints())
        bench->deadline = batch_now_ns() + (int64_t)(seconds * 1e9);
}
