/* How many processors this process may use, and which; and keeping a thread on one of them.
 *
 * Which ones, and keeping to one, is no part of POSIX. Without it (KP_NO_AFFINITY, the Meson option
 * affinity) the system's count is all that is known, and a machine that asks for pinning is
 * refused. */
#include "ports/machine_data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__) && !defined(KP_NO_AFFINITY)

#include <sched.h>

struct kp_affinity {
    size_t bytes;
    int count;
    max_align_t set[]; /* a cpu_set_t for as many cores as the system has */
};

static cpu_set_t *set_of(const struct kp_affinity *affinity)
{
    return (cpu_set_t *)(void *)affinity->set;
}

/* Whose set is meant. A processor that its machine keeps on a core may use all that the process
 * may. */
static pid_t whose(void)
{
    const kp_proc *self = kp_carried();
    return self && self->machine->cores > 0 ? getpid() : 0;
}

/* The kernel refuses a set that is too small for it. */
struct kp_affinity *kp_affinity_here(void)
{
    for (size_t cores = 1024; cores <= 1 << 20; cores *= 4) {
        struct kp_affinity *here = malloc(sizeof *here + CPU_ALLOC_SIZE(cores));
        if (!here)
            return NULL;
        here->bytes = CPU_ALLOC_SIZE(cores);
        if (sched_getaffinity(whose(), here->bytes, set_of(here)) == 0) {
            here->count = CPU_COUNT_S(here->bytes, set_of(here));
            return here;
        }
        free(here);
    }
    return NULL;
}

static bool has(const struct kp_affinity *affinity, int core)
{
    return CPU_ISSET_S((size_t)core, affinity->bytes, set_of(affinity));
}

int kp_pin_to(pthread_attr_t *attributes, int core)
{
    cpu_set_t *set = CPU_ALLOC((size_t)core + 1);
    size_t bytes = CPU_ALLOC_SIZE((size_t)core + 1);
    if (!set)
        return ENOMEM;
    CPU_ZERO_S(bytes, set);
    CPU_SET_S((size_t)core, bytes, set);
    int failed = pthread_attr_setaffinity_np(attributes, bytes, set);
    CPU_FREE(set);
    return failed;
}

void kp_unpin(pthread_t thread, int core, const struct kp_affinity *to)
{
    cpu_set_t *own = CPU_ALLOC(8 * to->bytes);
    if (own && core >= 0 && pthread_getaffinity_np(thread, to->bytes, own) == 0 &&
        CPU_COUNT_S(to->bytes, own) == 1 && CPU_ISSET_S((size_t)core, to->bytes, own))
        (void)pthread_setaffinity_np(thread, to->bytes, set_of(to));
    CPU_FREE(own);
}

const char *kp_pinning(void)
{
    return "affinity";
}

#else

struct kp_affinity {
    int count;
};

struct kp_affinity *kp_affinity_here(void)
{
    return NULL;
}

static bool has(const struct kp_affinity *affinity, int core)
{
    return affinity->count > core;
}

int kp_pin_to(pthread_attr_t *attributes, int core)
{
    (void)attributes, (void)core;
    return ENOTSUP;
}

void kp_unpin(pthread_t thread, int core, const struct kp_affinity *to)
{
    (void)thread, (void)core, (void)to;
}

const char *kp_pinning(void)
{
    return NULL;
}

#endif

int kp_allowed_cores(void)
{
    struct kp_affinity *here = kp_affinity_here();
    int count = here ? here->count : 0;
    free(here);
    return count;
}

int kp_core_at(int i)
{
    struct kp_affinity *here = kp_affinity_here();
    int found = -1;
    for (int left = here ? i % here->count : -1; left >= 0; left -= has(here, found))
        found++;
    free(here);
    return found;
}

/* The number that stands in a file behind so many others; 0: none does ("max", or no file). */
static long number_in(const char *path, int behind)
{
    long number = 0;
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, behind ? "%*s %ld" : "%ld", &number) != 1)
        number = 0;
    if (f)
        fclose(f);
    return number;
}

/* How many cores the container's time is as much as, rounded up; 0: it has no limit. */
static long quota(void)
{
    long time = number_in("/sys/fs/cgroup/cpu.max", 0);
    long period = number_in("/sys/fs/cgroup/cpu.max", 1);
    if (time == 0) {
        time = number_in("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", 0);
        period = number_in("/sys/fs/cgroup/cpu/cpu.cfs_period_us", 0);
    }
    return time > 0 && period > 0 ? (time + period - 1) / period : 0;
}

int kp_cores(void)
{
    long count = kp_allowed_cores(), most = quota();
    if (count <= 0)
        count = sysconf(_SC_NPROCESSORS_ONLN);
    if (most > 0 && most < count)
        count = most;
    return count > 0 ? (int)count : 1;
}
