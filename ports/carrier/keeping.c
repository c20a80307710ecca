#include "ports/carrier/carrier.h"
#include "ports/machine_data.h"
#include "ports/ticks.h"
#include "ports/without.h"

#include <stdlib.h>

/* A thread that is kept finds the lines of its neighbours where it left them, and those of a core
 * come to a barrier together: five calls by turns took 0.82 of the time for 8 threads on 2 cores,
 * 0.87 for 64 (Zen 4). With a core for each thread the system keeps them well enough, and moves one
 * whose core somebody else wants. */
#define THREADS_A_CORE 2

/* So long a core may be without work before anything is concluded from it, in nanoseconds. */
#define PATIENCE UINT64_C(10000000)

struct core {
    alignas(KP_LINES_APART) _Atomic int sleeping; /* of its threads */
    int number;                                   /* the system's */
    int threads;                                  /* that are kept on it */
    _Atomic uint64_t since;                       /* when the last of them went to sleep */
    _Atomic uint64_t idle;                        /* how long all of them have slept in this run */
};

struct kp_keeping {
    const kp_machine *machine;
    uint64_t begun;    /* the run */
    _Atomic bool gone; /* its threads have been let go */
    struct kp_affinity all;
    struct core core[];
};

int kp_keeping_cores(const struct kp_machine_config *config, int hands)
{
    if (config->pin == KP_PIN_NEVER || !kp_pinning())
        return 0;
    int cores = kp_allowed_cores();
    if (config->most_cores > 0 && config->most_cores < cores)
        cores = config->most_cores;
    bool crowded = KP_HAS(KEPT_ON_CORES) && cores > 1 && hands >= THREADS_A_CORE * cores &&
                   kp_cores() == cores;
    return config->pin == KP_PIN_ALWAYS || (crowded && config->wait == KP_WAIT_YIELD) ? cores : 0;
}

static struct core *core_of(struct kp_keeping *keeping, int i)
{
    return &keeping->core[kp_core_of(i, keeping->machine->n, keeping->machine->cores)];
}

struct kp_keeping *kp_keeping_make(const kp_machine *machine)
{
    size_t bytes = (size_t)machine->cores * sizeof(struct core);
    struct kp_keeping *made = kp_lines_zeroed(1, sizeof *made + bytes);
    if (!made || !kp_affinity_here(&made->all)) {
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

/* Nobody is in a run: the words are ordered by its beginning. */
void kp_keeping_run(struct kp_keeping *keeping)
{
    keeping->begun = kp_nanoseconds();
    for (int i = 0; i < keeping->machine->cores; i++) {
        atomic_store_explicit(&keeping->core[i].sleeping, 0, KP_ORDER_RESET);
        atomic_store_explicit(&keeping->core[i].idle, 0, KP_ORDER_RESET);
    }
}

/* Threads that keep to the core they were given; a program that has moved one knows why. */
static void let_go(struct kp_keeping *keeping)
{
    if (atomic_exchange_explicit(&keeping->gone, true, KP_ORDER_NOTE))
        return;
    for (int i = 0; i < keeping->machine->n; i++)
        kp_unpin(keeping->machine->hand[i].thread, core_of(keeping, i)->number, &keeping->all);
}

/* All threads of the core have slept since the last look. */
static void add_idle(struct kp_keeping *keeping, struct core *core)
{
    uint64_t now = kp_nanoseconds();
    uint64_t since = atomic_exchange_explicit(&core->since, now, KP_ORDER_NOTE);
    uint64_t more = now > since ? now - since : 0;
    uint64_t idle = more + atomic_fetch_add_explicit(&core->idle, more, KP_ORDER_NOTE);
    if (idle > PATIENCE + (now - keeping->begun) / 8)
        let_go(keeping);
}

/* The last one of a core looks on for the others: the next to wake may be long in coming. */
void kp_keeping_sleeps(struct kp_keeping *keeping, int i, struct kp_wait_word *word, uint32_t old,
                       unsigned most_ms)
{
    static const struct kp_waiter slice = {.limit_ms = PATIENCE / 1000000};
    struct core *core = core_of(keeping, i);
    atomic_store_explicit(&core->since, kp_nanoseconds(), KP_ORDER_NOTE);
    /* Releases the time to who finds all of them asleep. */
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
