/* Processors carried by fibers: what they need, made and freed, and what the watch is told of them.
 */
#include "ports/carrier/fibers.h"

#include "ports/error.h"

#include <stdlib.h>

#define WORKER_STACK  ((size_t)1 << 18) /* of its own: it only waits for runs, and begins them */
#define DEFAULT_STACK ((size_t)64 << 10)
/* PTHREAD_STACK_MIN is about threads: on aarch64 it is more than fibers have by default. */
#define LEAST_STACK ((size_t)16 << 10)

enum kp_guard kp_first_guard = KP_GUARD_PAGES;

const char *kp_machine_guard(const kp_machine *machine)
{
    return machine->crew ? kp_guard_name(machine->crew->stacks.guard) : NULL;
}

uint64_t kp_machine_trace(const kp_machine *machine)
{
    return machine->crew && machine->hands == 1 ? machine->crew->workers[0].trace : 0;
}

/* --- What a configuration leaves open --- */

static int complete(struct kp_machine_config *config)
{
    int n = config->processors, cores = kp_cores();
    if (!kp_fibers())
        return kp_set_error(KP_EARGUMENT,
                            "carrier is %d (fibers), which this build of kport does not have (its "
                            "Meson option `fibers`); it may be %d (threads)",
                            KP_CARRIER_FIBERS, KP_CARRIER_THREADS);
    if (config->workers < 0 || config->workers > n)
        return kp_set_error(KP_EARGUMENT,
                            "workers is %d; with %d processors it may be 1 ... %d, or 0 for one a "
                            "core",
                            config->workers, n, n);
    if (config->workers == 0)
        config->workers = n < cores ? n : cores;
    return kp_complete_stack(config, DEFAULT_STACK * KP_STACK_FACTOR, LEAST_STACK);
}

/* --- Words that fibers wait for --- */

static int make_word(kp_machine *machine, struct kp_wait_word *word, int processor)
{
    struct kp_crew *crew = machine->crew;
    int count = processor < 0 ? crew->count : 1;
    word->queues = kp_lines_zeroed((size_t)count, sizeof *word->queues);
    if (!word->queues)
        return kp_set_error(KP_EMEMORY, "no memory for the queues of %d workers", count);
    word->carrier = &kp_fibers_row;
    word->queue_count = word->queues[0].count = count;
    for (int i = 0; i < count; i++) {
        word->queues[i].word = word;
        word->queues[i].worker = processor < 0 ? &crew->workers[i] : crew->fibers[processor].worker;
        word->queues[i].polled = -1;
    }
    return KP_OK;
}

/* Whether a worker is still going to look at one of a word's queues. */
static bool any_posted(struct kp_wait_queue *queues)
{
    for (int i = 0; i < queues[0].count; i++) {
        if (atomic_load_explicit(&queues[i].state, KP_ORDER_POSTED) == KP_QUEUE_POSTED)
            return true;
    }
    return false;
}

static void bury(struct kp_crew *crew, bool all)
{
    struct kp_wait_queue **link = &crew->gone;
    while (*link) {
        struct kp_wait_queue *queues = *link;
        if (!all && any_posted(queues)) {
            link = &queues->gone;
            continue;
        }
        *link = queues->gone;
        free(queues);
    }
}

/* A queue may still lie in an inbox; then all are kept until it has been taken out. */
static void free_word(struct kp_wait_word *word)
{
    struct kp_wait_queue *queues = word->queues;
    struct kp_crew *crew = queues->worker->machine->crew;
    word->queues = NULL;
    word->carrier = NULL;
    queues->gone = crew->gone;
    crew->gone = queues;
    bury(crew, false);
}

/* --- Making --- */

static void worker_make(kp_machine *machine, int index)
{
    struct kp_crew *crew = machine->crew;
    struct kp_worker *worker = &crew->workers[index];
    int begin = kp_hand_first(machine->n, crew->count, index);
    worker->machine = machine;
    worker->index = index;
    worker->count = kp_hand_first(machine->n, crew->count, index + 1) - begin;
    worker->fibers = &crew->fibers[begin];
    worker->bag = crew->bag ? &crew->bag[begin] : NULL;
    worker->idling = kp_looks_of(machine->config.wait);
    worker->spins = worker->idling.spins;
    worker->main.worker = worker;
    atomic_store_explicit(&worker->bell.value, kp_first_counters.rings, KP_ORDER_RESET);
    for (int i = 0; i < worker->count; i++) {
        struct kp_fiber *fiber = &worker->fibers[i];
        fiber->worker = worker;
        fiber->proc = &machine->procs[begin + i];
        fiber->proc->parked = &fiber->parked;
    }
}

static int make(kp_machine *machine)
{
    size_t n = (size_t)machine->n, count = (size_t)machine->hands;
    struct kp_crew *crew = machine->crew = calloc(1, sizeof *crew);
    bool seeded = machine->config.seed != 0;
    if (crew) {
        crew->count = machine->hands;
        crew->workers = kp_lines_zeroed(count, sizeof *crew->workers);
        crew->fibers = kp_lines_zeroed(n, sizeof *crew->fibers);
        crew->bag = seeded ? calloc(n, sizeof(struct kp_fiber *)) : NULL;
    }
    if (!crew || !crew->workers || !crew->fibers || (seeded && !crew->bag))
        return kp_set_error(KP_EMEMORY, "no memory for %d fibers and %d workers", machine->n,
                            machine->hands);
    for (int i = 0; i < crew->count; i++)
        worker_make(machine, i);
    return KP_OK;
}

static void free_all(kp_machine *machine)
{
    struct kp_crew *crew = machine->crew;
    if (!crew)
        return;
    bury(crew, true);
    kp_stacks_free(&crew->stacks);
    free(crew->bag);
    free(crew->workers);
    free(crew->fibers);
    free(crew);
}

static int prepare(kp_machine *machine)
{
    struct kp_stacks *stacks = &machine->crew->stacks;
    if (stacks->memory)
        return KP_OK;
    return kp_stacks_make(stacks, machine->n, machine->config.stack_bytes, kp_first_guard);
}

static int worker_of(const kp_machine *machine, int processor)
{
    return machine->crew->fibers[processor].worker->index;
}

/* --- For the watch --- */

/* A pointer that may be stale is looked for, not followed. */
static kp_group *seat_if_any(const kp_machine *machine, kp_group *seat)
{
    for (struct kp_shared *s = machine->groups; s; s = s->next) {
        if (seat >= s->members && seat < s->members + s->size)
            return seat;
    }
    return NULL;
}

/* Fibers of a worker that is parked stand still while the sleepers are held, and so do those beside
 * the fiber that looks. Of others, which may be going on, it is only known that they wait, and that
 * a bell has not been rung. */
static bool note(const kp_proc *proc, struct kp_note *note)
{
    const struct kp_fiber *fiber = &proc->machine->crew->fibers[proc->number];
    const struct kp_worker *worker = fiber->worker;
    if (!kp_is_parked(&fiber->parked))
        return false;
    note->exact = (kp_self.fiber && kp_self.fiber->worker == worker) ||
                  atomic_load_explicit(&worker->counted, KP_ORDER_INSPECT);
    note->seat = atomic_load_explicit(&fiber->parked.in, KP_ORDER_NOTE);
    note->since = 0;
    if (!note->exact) {
        note->seat = seat_if_any(proc->machine, note->seat);
        return note->seat && (kp_mail_awaited(note->seat) < 0 || kp_is_asleep(&fiber->parked));
    }
    if (!note->seat)
        return false;
    struct kp_wait_word *word = atomic_load_explicit(&fiber->parked.on, KP_ORDER_NOTE);
    note->since = fiber->deadline == KP_NEVER
                      ? kp_queue_of(word, worker)->since
                      : fiber->deadline / 1000000 - proc->machine->config.time_limit_ms + 1;
    return kp_watch_sleeps(note->seat, atomic_load_explicit(&fiber->parked.value, KP_ORDER_NOTE));
}

const struct kp_carrier_row kp_fibers_row = {
    .thread_stack = WORKER_STACK,
    .complete = complete,
    .make = make,
    .free = free_all,
    .prepare = prepare,
    .carry = kp_fibers_carry,
    .carry_rest = kp_fibers_carry_rest,
    .worker_of = worker_of,
    .make_word = make_word,
    .free_word = free_word,
    .wait = kp_fiber_wait,
    .wake = kp_fiber_wake,
    .note = note,
};
