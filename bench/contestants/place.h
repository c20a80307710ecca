/* Where a thread runs: on the core that the job gives it, or wherever the process may. */
#ifndef KPORT_BENCH_PLACE_H
#define KPORT_BENCH_PLACE_H

#include "../job.h"

#include <sched.h>
#include <unistd.h>

/* The core of a set that the i-th of so many threads is kept on: neighbours share one. */
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

/* The same of those that the process may use, which are its first thread's: that one is not
 * bound where this is asked. False: not known. */
static inline bool core_of(int i, int threads, cpu_set_t *one)
{
    cpu_set_t all;
    if (sched_getaffinity(getpid(), sizeof all, &all) != 0)
        return false;
    core_in(&all, i, threads, one);
    return true;
}

/* Of the calling thread, not the first one. */
static inline void take_place(const struct job *job, int i)
{
    cpu_set_t one;
    if (job->pin && core_of(i, job->n, &one))
        sched_setaffinity(0, sizeof one, &one);
}

#endif
