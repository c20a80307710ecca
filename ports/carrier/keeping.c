#include "ports/carrier/carrier.h"
#include "ports/carrier/cpus.h"
#include "ports/carrier/wire.h"
#include "ports/machine_data.h"
#include "ports/ticks.h"
#include "ports/without.h"

#include <stdlib.h>

/* A time that all threads of a core may sleep at once, in nanoseconds. */
#define PATIENCE (UINT64_C(1000) * KP_IDLE_PATIENCE_US)

struct core {
    alignas(KP_LINES_APART) _Atomic int sleeping; /* the number of the core's threads that sleep */
    int number;                                   /* the core's number in the system */
    int threads; /* the number of threads that are kept on the core */
    /* The time up to which `idle` is counted, or at which a thread last went to sleep. */
    _Atomic uint64_t since;
    /* The time in this run for which all threads of the core slept at once. */
    _Atomic uint64_t idle;
};

struct kp_keeping {
    const kp_machine *machine;
    uint64_t begun;    /* the time when the run began */
    _Atomic bool gone; /* the machine's threads have been unpinned */
    struct kp_affinity all;
    struct core core[];
};

int kp_keeping_cores(const struct kp_machine_config *config, int hands)
{
    if (config->pin == KP_PIN_NEVER || config->wire ||
        !kp_pinning()) /* seldom taken: builds without affinity */
        return 0;
    if (config->cpus)
        return kp_cpus_of(config->cpus).cores;
    int cores = kp_allowed_cores();
    if (config->most_cores > 0 && config->most_cores < cores)
        cores = config->most_cores;
    /* seldom taken: depends on how many cores the system has */
    bool crowded = KP_HAS(KEPT_ON_CORES) && cores > 1 && hands >= KP_THREADS_A_CORE * cores &&
                   kp_cores() == cores;
    return config->pin == KP_PIN_ALWAYS || (crowded && config->wait == KP_WAIT_YIELD) ? cores : 0;
}

/* The processes of an MPI share the cores out among them. */
bool kp_keeping_share(const kp_machine *machine, struct kp_affinity *cpus)
{
    struct kp_wires *wires = machine->first_local->wires;
    if (machine->config.pin == KP_PIN_NEVER || !KP_HAS(KEPT_ON_CORES) || !wires || !wires->cpus ||
        kp_cores() != kp_allowed_cores())
        return false;
    cpus->count = wires->cpus(wires, cpus->set, sizeof cpus->set);
    return cpus->count > 0;
}

static struct core *core_of(struct kp_keeping *keeping, int i)
{
    return &keeping->core[kp_core_of(i, keeping->machine->n, keeping->machine->cores)];
}

struct kp_keeping *kp_keeping_make(const kp_machine *machine)
{
    size_t bytes = (size_t)machine->cores * sizeof(struct core);
    struct kp_keeping *made = kp_lines_zeroed(1, sizeof *made + bytes);
    if (!made || !kp_affinity_here(&made->all)) { /* seldom taken: kernels may refuse */
        free(made);
        return NULL;
    }
    made->machine = machine;
    for (int i = 0; i < machine->cores; i++)
        made->core[i].number = kp_core_at(i);
    for (int i = 0; i < machine->n; i++)
        core_of(made, i)->threads++;
    return made;
}

void kp_keeping_free(struct kp_keeping *keeping)
{
    free(keeping);
}

bool kp_keeping_is_over(const struct kp_keeping *keeping)
{
    return atomic_load_explicit(&keeping->gone, KP_ORDER_NOTE);
}

/* The caller makes sure that no run is under way. So plain stores suffice, because the threads see
 * them after the start of the run. */
void kp_keeping_run(struct kp_keeping *keeping)
{
    keeping->begun = kp_nanoseconds();
    for (int i = 0; i < keeping->machine->cores; i++) {
        atomic_store_explicit(&keeping->core[i].sleeping, 0, KP_ORDER_RESET);
        atomic_store_explicit(&keeping->core[i].idle, 0, KP_ORDER_RESET);
    }
}

/* Unpins every thread that is still on the core that it was given. A thread that the program itself
 * has moved stays where it is. */
static void let_go(struct kp_keeping *keeping)
{
    if (atomic_exchange_explicit(&keeping->gone, true, KP_ORDER_NOTE))
        return;
    for (int i = 0; i < keeping->machine->n; i++)
        kp_unpin(keeping->machine->hand[i].thread, core_of(keeping, i)->number, &keeping->all);
}

/* Adds the time since `since` to the core's idle time. All threads of the core have slept during
 * this time. If the core was idle for too long, unpins the machine's threads. */
static void add_idle(struct kp_keeping *keeping, struct core *core)
{
    uint64_t now = kp_nanoseconds();
    uint64_t since = atomic_exchange_explicit(&core->since, now, KP_ORDER_NOTE);
    uint64_t more = now > since ? now - since : 0; /* seldom taken: another thread was later */
    uint64_t idle = more + atomic_fetch_add_explicit(&core->idle, more, KP_ORDER_NOTE);
    if (kp_is_idle_too_long(idle / 1000, (now - keeping->begun) / 1000))
        let_go(keeping);
}

/* Of the threads of a core, the one that goes to sleep last wakes every PATIENCE ns and adds to the
 * core's idle time. It cannot leave this to the next thread that wakes, because that thread may
 * sleep for long. */
void kp_keeping_sleeps(struct kp_keeping *keeping, int i, struct kp_wait_word *word, uint32_t old,
                       unsigned most_ms)
{
    static const struct kp_waiter slice = {.limit_ms = PATIENCE / 1000000};
    struct core *core = core_of(keeping, i);
    atomic_store_explicit(&core->since, kp_nanoseconds(), KP_ORDER_NOTE);
    /* The addition is a release of `since` to the thread that finds all threads of the core
     * asleep. */
    int sleeping = 1 + atomic_fetch_add_explicit(&core->sleeping, 1, KP_ORDER_IDLE);
    for (unsigned slept = slice.limit_ms;
         sleeping == core->threads && !kp_keeping_is_over(keeping) &&
         (most_ms == 0 || slept < most_ms) && kp_wait_change(word, old, &slice) == old;
         slept += slice.limit_ms) {
        sleeping = atomic_load_explicit(&core->sleeping, KP_ORDER_NOTE);
        if (sleeping == core->threads)
            add_idle(keeping, core);
    }
}

void kp_keeping_wakes(struct kp_keeping *keeping, int i)
{
    struct core *core = core_of(keeping, i);
    if (atomic_fetch_sub_explicit(&core->sleeping, 1, KP_ORDER_IDLE) == core->threads)
        add_idle(keeping, core);
}
