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
#define KP_AFFINITY 1
#include <sched.h>
#endif

#ifdef KP_AFFINITY

/* Whose set is meant. A processor that its machine keeps on a core may use all that the process
 * may.
 */
static pid_t whose(void)
{
    const kp_proc *self = kp_carried();
    return self && self->machine->cores > 0 ? getpid() : 0;
}

/* The set of allowed cores, however many the system has: the kernel refuses a set that is too small
 * for it. NULL if it cannot be told. */
static cpu_set_t *allowed_cores(size_t *bytes, int *most)
{
    for (int cores = 1024; cores <= 1 << 20; cores *= 4) {
        cpu_set_t *set = CPU_ALLOC((size_t)cores);
        *bytes = CPU_ALLOC_SIZE((size_t)cores);
        *most = cores;
        if (!set)
            return NULL;
        if (sched_getaffinity(whose(), *bytes, set) == 0)
            return set;
        CPU_FREE(set);
    }
    return NULL;
}

int kp_allowed_cores(void)
{
    size_t bytes;
    int most, count = 0;
    cpu_set_t *set = allowed_cores(&bytes, &most);
    if (set) {
        count = CPU_COUNT_S(bytes, set);
        CPU_FREE(set);
    }
    return count;
}

int kp_core_at(int i)
{
    size_t bytes;
    int most, found = -1;
    cpu_set_t *set = allowed_cores(&bytes, &most);
    if (!set)
        return -1;
    int wanted = i % CPU_COUNT_S(bytes, set);
    for (int core = 0; core < most && found < 0; core++) {
        if (CPU_ISSET_S((size_t)core, bytes, set) && wanted-- == 0)
            found = core;
    }
    CPU_FREE(set);
    return found;
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

struct kp_affinity {
    size_t bytes;
    cpu_set_t *set;
};

struct kp_affinity *kp_affinity_here(void)
{
    int most;
    struct kp_affinity *here = malloc(sizeof *here);
    if (here && !(here->set = allowed_cores(&here->bytes, &most))) {
        free(here);
        return NULL;
    }
    return here;
}

void kp_affinity_free(struct kp_affinity *affinity)
{
    if (affinity)
        CPU_FREE(affinity->set);
    free(affinity);
}

void kp_unpin(pthread_t thread, int core, const struct kp_affinity *to)
{
    cpu_set_t *own = CPU_ALLOC(8 * to->bytes);
    if (own && core >= 0 && pthread_getaffinity_np(thread, to->bytes, own) == 0 &&
        CPU_COUNT_S(to->bytes, own) == 1 && CPU_ISSET_S((size_t)core, to->bytes, own))
        (void)pthread_setaffinity_np(thread, to->bytes, to->set);
    CPU_FREE(own);
}

const char *kp_pinning(void)
{
    return "affinity";
}

#else

int kp_allowed_cores(void)
{
    return 0;
}

int kp_core_at(int i)
{
    (void)i;
    return -1;
}

int kp_pin_to(pthread_attr_t *attributes, int core)
{
    (void)attributes, (void)core;
    return ENOTSUP;
}

struct kp_affinity *kp_affinity_here(void)
{
    return NULL;
}

void kp_affinity_free(struct kp_affinity *affinity)
{
    (void)affinity;
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

#ifdef __linux__

/* Reads two numbers from a file, or from two; a quota of "max" or -1 is none. */
static int quota_in(const char *quota_path, const char *period_path)
{
    char quota_text[32] = "", period_text[32] = "";
    FILE *f = fopen(quota_path, "re");
    if (!f)
        return 0;
    int read = fscanf(f, "%31s %31s", quota_text, period_text);
    fclose(f);
    if (read == 1 && period_path && (f = fopen(period_path, "re"))) {
        if (fscanf(f, "%31s", period_text) != 1)
            period_text[0] = '\0';
        fclose(f);
    }
    long quota = 0, period = 0;
    if (sscanf(quota_text, "%ld", &quota) != 1 || sscanf(period_text, "%ld", &period) != 1)
        return 0;
    if (quota <= 0 || period <= 0)
        return 0;
    return (int)((quota + period - 1) / period);
}

static int quota_count(void)
{
    int quota = quota_in("/sys/fs/cgroup/cpu.max", NULL);
    if (quota == 0)
        quota =
            quota_in("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    return quota;
}

#else

static int quota_count(void)
{
    return 0;
}

#endif

int kp_cores(void)
{
    int count = kp_allowed_cores();
    if (count <= 0)
        count = (int)sysconf(_SC_NPROCESSORS_ONLN);
    int quota = quota_count();
    if (quota > 0 && quota < count)
        count = quota;
    return count > 0 ? count : 1;
}
