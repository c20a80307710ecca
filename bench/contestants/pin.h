/* Pins threads to cores. A job says whether its threads are pinned. */
#ifndef KPORT_BENCH_PIN_H
#define KPORT_BENCH_PIN_H

#include "../job.h"

#include <sched.h>
#include <unistd.h>

/* Finds the core for thread number `i` of `threads` threads, among the cores in `all`. If threads
 * share cores, neighbours share a core. `one` becomes the set that contains only this core. */
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

/* Does the same as core_in for the cores that the process may use. These are the cores of the
 * process's first thread, which must not be pinned yet. Returns false if the system does not tell
 * the cores. */
static inline bool core_of(int i, int threads, cpu_set_t *one)
{
    cpu_set_t all;
    if (sched_getaffinity(getpid(), sizeof all, &all) != 0)
        return false;
    core_in(&all, i, threads, one);
    return true;
}

/* Pins the calling thread to its core if the job wants that. The calling thread must not be the
 * first thread of the process. */
static inline void pin_self(const struct job *job, int i)
{
    cpu_set_t one;
    if (job->pin && core_of(i, job->n, &one))
        sched_setaffinity(0, sizeof one, &one);
}

#endif
