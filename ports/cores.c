/* Finds out how many cores this process may use, and which, and pins a thread to one core.
 *
 * A process's affinity is the set of cores that the system allows the process to use. POSIX has no
 * functions for affinity. A build without such functions (KP_NO_AFFINITY, the Meson option
 * affinity) knows only how many cores the system has, and refuses machines that ask for pinning. */
#include "ports/machine_data.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__) && !defined(KP_NO_AFFINITY)

#include <sched.h>

static cpu_set_t *set_of(const struct kp_affinity *affinity)
{
    return (cpu_set_t *)(void *)affinity->set;
}

/* Returns whose affinity is to be read, for sched_getaffinity. 0 stands for the calling thread. If
 * this thread is bound, its own affinity is not all cores, so the result is the process's number.
 */
static pid_t whose(void)
{
    const kp_proc *self = kp_carried();
    return self && (self->machine->cores > 0 || self->machine->config.cpus) ? getpid() : 0;
}

bool kp_affinity_here(struct kp_affinity *here)
{
    bool known = sched_getaffinity(whose(), sizeof here->set, set_of(here)) == 0;
    /* seldom taken: kernels may refuse to tell the cores */
    here->count = known ? CPU_COUNT_S(sizeof here->set, set_of(here)) : 0;
    return known;
}

static bool has(const struct kp_affinity *affinity, int core)
{
    /* seldom taken: the macro checks the core's number, which is in range */
    return CPU_ISSET_S((size_t)core, sizeof affinity->set, set_of(affinity));
}

int kp_pin_to(pthread_attr_t *attributes, const struct kp_affinity *cpus)
{
    return pthread_attr_setaffinity_np(attributes, sizeof cpus->set, set_of(cpus));
}

void kp_unpin(pthread_t thread, int core, const struct kp_affinity *to)
{
    struct kp_affinity own = {.count = 0};
    /* seldom taken: kernels may refuse, and the program may move the thread */
    if (core >= 0 && pthread_getaffinity_np(thread, sizeof own.set, set_of(&own)) == 0 &&
        CPU_COUNT_S(sizeof own.set, set_of(&own)) == 1 && has(&own, core))
        (void)pthread_setaffinity_np(thread, sizeof to->set, set_of(to));
}

int kp_core_here(void)
{
    return sched_getcpu();
}

void kp_leave_core(int core)
{
    struct kp_affinity all = {0}, others;
    /* seldom taken: kernels may refuse, and the system may have moved the thread */
    if (core < 0 || sched_getaffinity(0, sizeof all.set, set_of(&all)) != 0 || !has(&all, core))
        return;
    others = all;
    CPU_CLR_S((size_t)core, sizeof others.set, set_of(&others));
    /* seldom taken: the process may use one core only */
    if (sched_setaffinity(0, sizeof others.set, set_of(&others)) == 0)
        (void)sched_setaffinity(0, sizeof all.set, set_of(&all));
}

const char *kp_pinning(void)
{
    return "affinity";
}

#else

bool kp_affinity_here(struct kp_affinity *here)
{
    here->count = 0;
    return false;
}

static bool has(const struct kp_affinity *affinity, int core)
{
    return affinity->count > core;
}

int kp_pin_to(pthread_attr_t *attributes, const struct kp_affinity *cpus)
{
    (void)attributes, (void)cpus;
    return ENOTSUP;
}

void kp_unpin(pthread_t thread, int core, const struct kp_affinity *to)
{
    (void)thread, (void)core, (void)to;
}

int kp_core_here(void)
{
    return -1;
}

void kp_leave_core(int core)
{
    (void)core;
}

const char *kp_pinning(void)
{
    return NULL;
}

#endif

int kp_allowed_cores(void)
{
    struct kp_affinity here;
    return kp_affinity_here(&here) ? here.count : 0; /* seldom taken: kernels may refuse */
}

int kp_core_at(int i)
{
    struct kp_affinity here;
    int core = -1;
    /* seldom taken: kernels may refuse to tell the cores */
    for (int left = kp_affinity_here(&here) ? i % here.count : -1; left >= 0;
         left -= has(&here, core))
        core++;
    return core;
}

int kp_nodes_assumed;
static pthread_once_t nodes_once = PTHREAD_ONCE_INIT;
static bool several_nodes;

/* The file has the numbers of the nodes, such as "0" or "0-1". */
static void look_for_nodes(void)
{
    char text[32] = "";
    FILE *f = fopen("/sys/devices/system/node/online", "re");
    /* seldom taken: not every system has the file */
    if (f && fscanf(f, "%31s", text) != 1)
        text[0] = '\0';
    if (f)
        fclose(f);
    several_nodes = strpbrk(text, ",-") != NULL;
}

bool kp_has_several_nodes(void)
{
    pthread_once(&nodes_once, look_for_nodes);
    return kp_nodes_assumed > 0 ? kp_nodes_assumed > 1 : several_nodes;
}

/* Returns the first number in a file, or the second if `behind` is 1. Returns 0 if the file is
 * missing or says "max" instead of a number. */
static long number_in(const char *path, int behind)
{
    long number = 0;
    FILE *f = fopen(path, "re");
    /* seldom taken: depends on the system's control groups */
    if (f && fscanf(f, behind ? "%*s %ld" : "%ld", &number) != 1)
        number = 0;
    if (f)
        fclose(f);
    return number;
}

/* Returns how many cores the container's time quota amounts to, rounded up. 0 means no quota. */
static long quota(void)
{
    long time = number_in("/sys/fs/cgroup/cpu.max", 0);
    long period = number_in("/sys/fs/cgroup/cpu.max", 1);
    if (time == 0) { /* seldom taken: depends on the system's control groups */
        time = number_in("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", 0);
        period = number_in("/sys/fs/cgroup/cpu/cpu.cfs_period_us", 0);
    }
    /* seldom taken: only in a control group with a limit */
    return time > 0 && period > 0 ? (time + period - 1) / period : 0;
}

int kp_cores(void)
{
    long count = kp_allowed_cores(), most = quota();
    if (count <= 0) /* seldom taken: kernels may refuse to tell the cores */
        count = sysconf(_SC_NPROCESSORS_ONLN);
    if (most > 0 && most < count) /* seldom taken: only in a control group with a limit */
        count = most;
    return count > 0 ? (int)count : 1; /* seldom taken: every system has a core */
}
