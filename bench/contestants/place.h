/* The core of a thread: the core that the job gives it, or any core of the process. */
#ifndef KPORT_BENCH_PLACE_H
#define KPORT_BENCH_PLACE_H

#include "../job.h"

#include <sched.h>
#include <unistd.h>

/* Finds the core of the i-th of `threads` threads in a set. If threads share cores, neighbours
 * share one. */
static inline void core_in(const cpu_set_t *all, int i, int threads, cpu_set_t *one)
{
    int cores = CPU_COUNT(all);
    CPU_ZERO(one);
    i = threads > cores ? i * cores / threads : i;
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (CPU_ISSET(core, all) && i-- == 0)
            CPU_SET(core, one);
    }
}

/* Does the same for the cores of the process, which are those of its first thread: that thread is
 * not pinned when this is called. Returns false if they are unknown. */
static inline bool core_of(int i, int threads, cpu_set_t *one)
{
    cpu_set_t all;
    if (sched_getaffinity(getpid(), sizeof all, &all) != 0)
        return false;
    core_in(&all, i, threads, one);
    return true;
}

/* Pins the calling thread, which must not be the first one. */
static inline void take_place(const struct job *job, int i)
{
    cpu_set_t one;
    if (job->pin && core_of(i, job->n, &one))
        sched_setaffinity(0, sizeof one, &one);
}

#endif
