/* Where a thread runs: on the core that the job gives it, or wherever the process may. */
#ifndef KPORT_BENCH_PLACE_H
#define KPORT_BENCH_PLACE_H

#include "job.h"

#include <sched.h>
#include <unistd.h>

/* The (i mod cores)-th core of a set. */
static inline void core_in(const cpu_set_t *all, int i, cpu_set_t *one)
{
    CPU_ZERO(one);
    i %= CPU_COUNT(all);
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (CPU_ISSET(core, all) && i-- == 0)
            CPU_SET(core, one);
    }
}

/* The same of those that the process may use, which are its first thread's: that one is not
 * bound where this is asked. False: not known. */
static inline bool core_of(int i, cpu_set_t *one)
{
    cpu_set_t all;
    if (sched_getaffinity(getpid(), sizeof all, &all) != 0)
        return false;
    core_in(&all, i, one);
    return true;
}

/* Of the calling thread, not the first one. */
static inline void take_place(const struct job *job, int i)
{
    cpu_set_t one;
    if (job->pin && core_of(i, &one))
        sched_setaffinity(0, sizeof one, &one);
}

#endif
