/* The carrier that runs processors as fibers. This file makes and frees workers, fibers and the
 * words that fibers wait for, and informs the deadlock detector about waiting fibers. */
#include "ports/carrier/fibers.h"

#include "ports/carrier/cpus.h"
#include "ports/error.h"

#include <stdlib.h>

#define DEFAULT_STACK ((size_t)64 << 10)

enum kp_guard kp_first_guard = KP_GUARD_PAGES;

const char *kp_machine_guard(const kp_machine *machine)
{
    return machine->pool ? kp_guard_name(machine->pool->stacks.guard) : NULL;
}

uint64_t kp_machine_trace(const kp_machine *machine)
{
    return machine->pool && machine->hands == 1 ? machine->pool->workers[0].trace : 0;
}

/* --- What a configuration leaves open --- */

bool kp_fibers_exist(const struct kp_machine_config *config)
{
    if (kp_fibers()) /* seldom taken: builds without fibers */
        return true;
    if (config->wire)
        kp_set_error(
            KP_EARGUMENT,
            "workers is %d, and this build of kport does not have fibers (its Meson option "
            "`fibers`); it may be 0",
            config->workers);
    else
        kp_set_error(KP_EARGUMENT,
                     "carrier is %d (fibers), which this build of kport does not have (its Meson "
                     "option `fibers`); it may be %d (threads)",
                     KP_CARRIER_FIBERS, KP_CARRIER_THREADS);
    return false;
}

static int complete(struct kp_machine_config *config)
{
    int n = config->processors, cores = kp_cores_for(config);
    if (!kp_fibers_exist(config))
        return kp_error_slot()->status;
    if (config->workers < 0 || config->workers > n)
        return kp_set_error(KP_EARGUMENT,
                            "workers is %d; with %d processors it may be 1 ... %d, or 0 for one a "
                            "core",
                            config->workers, n, n);
    if (config->workers == 0)
        config->workers = n < cores ? n : cores;
    return kp_complete_stack(config, DEFAULT_STACK * KP_STACK_FACTOR, KP_LEAST_FIBER_STACK);
}

/* --- Words that fibers wait for --- */

static int make_word(kp_machine *machine, struct kp_wait_word *word, int processor)
{
    struct kp_pool *pool = machine->pool;
    int count = processor < 0 ? pool->count : 1;
    word->queues = kp_lines_zeroed((size_t)count, sizeof *word->queues);
    if (!word->queues)
        return kp_set_error(KP_EMEMORY, "no memory for the queues of %d workers", count);
    word->carrier = &kp_fibers_row;
    word->queue_count = word->queues[0].count = count;
    for (int i = 0; i < count; i++) {
        word->queues[i].word = word;
        word->queues[i].worker = processor < 0 ? &pool->workers[i] : pool->fibers[processor].worker;
        word->queues[i].polled = -1;
    }
    return KP_OK;
}

/* Returns whether one of the word's queues lies in a worker's inbox. In this case the worker will
 * still read the queue. */
static bool any_posted(struct kp_wait_queue *queues)
{
    for (int i = 0; i < queues[0].count; i++) {
        /* seldom taken: a worker has not yet emptied its inbox */
        if (atomic_load_explicit(&queues[i].state, KP_ORDER_POSTED) == KP_QUEUE_POSTED)
            return true;
    }
    return false;
}

static void bury(struct kp_pool *pool, bool all)
{
    struct kp_wait_queue **link = &pool->gone;
    while (*link) {
        struct kp_wait_queue *queues = *link;
        if (!all && any_posted(queues)) { /* seldom taken: a worker still reads the queue */
            link = &queues->gone;
            continue;
        }
        *link = queues->gone;
        free(queues);
    }
}

/* Frees the word's queues, unless one of them lies in an inbox. In that case all queues of the word
 * stay allocated until the worker has taken that queue out, and a later call frees them. */
static void free_word(struct kp_wait_word *word)
{
    struct kp_wait_queue *queues = word->queues;
    struct kp_pool *pool = queues->worker->machine->pool;
    word->queues = NULL;
    word->carrier = NULL;
    queues->gone = pool->gone;
    pool->gone = queues;
    bury(pool, false);
}

/* --- Making --- */

static int first_fiber(const struct kp_pool *pool, int worker)
{
    return (int)((int64_t)pool->fiber_count * worker / pool->count);
}

static void worker_make(kp_machine *machine, int index)
{
    struct kp_pool *pool = machine->pool;
    struct kp_worker *worker = &pool->workers[index];
    int begin = first_fiber(pool, index);
    worker->machine = machine;
    worker->index = index;
    worker->count = first_fiber(pool, index + 1) - begin;
    worker->fibers = &pool->fibers[begin];
    worker->bag = pool->bag ? &pool->bag[begin] : NULL;
    worker->idling = kp_looks_of(machine->config.wait);
    worker->spins = worker->idling.spins;
    worker->main.worker = worker;
    atomic_store_explicit(&worker->core, -1, KP_ORDER_RESET);
    atomic_store_explicit(&worker->bell.value, kp_first_counters.rings, KP_ORDER_RESET);
    for (int i = 0; i < worker->count; i++) {
        struct kp_fiber *fiber = &worker->fibers[i];
        fiber->worker = worker;
    }
}

int kp_fibers_make(kp_machine *machine, int fibers)
{
    size_t n = (size_t)fibers, count = (size_t)machine->hands;
    struct kp_pool *pool = machine->pool = calloc(1, sizeof *pool);
    bool seeded = machine->config.seed != 0;
    if (pool) {
        pool->count = machine->hands;
        pool->fiber_count = fibers;
        pool->workers = kp_lines_zeroed(count, sizeof *pool->workers);
        pool->fibers = kp_lines_zeroed(n, sizeof *pool->fibers);
        pool->bag = seeded ? calloc(n, sizeof(struct kp_fiber *)) : NULL;
    }
    /* untaken: only suite stress refuses memory to machines with a seed */
    if (!pool || !pool->workers || !pool->fibers || (seeded && !pool->bag))
        return kp_set_error(KP_EMEMORY, "no memory for %d fibers and %d workers", fibers,
                            machine->hands);
    for (int i = 0; i < pool->count; i++)
        worker_make(machine, i);
    return KP_OK;
}

static int make(kp_machine *machine)
{
    const int status = kp_fibers_make(machine, machine->n);
    for (int i = 0; i < machine->n && !status; i++) {
        machine->pool->fibers[i].proc = &machine->procs[i];
        machine->procs[i].parked = &machine->pool->fibers[i].parked;
    }
    return status;
}

void kp_fibers_free(kp_machine *machine)
{
    struct kp_pool *pool = machine->pool;
    if (!pool)
        return;
    bury(pool, true);
    kp_stacks_free(&pool->stacks);
    free(pool->bag);
    free(pool->workers);
    free(pool->fibers);
    free(pool);
}

int kp_fibers_prepare(kp_machine *machine)
{
    struct kp_stacks *stacks = &machine->pool->stacks;
    if (stacks->memory)
        return KP_OK;
    return kp_stacks_make(stacks, machine->pool->fiber_count, machine->config.stack_bytes,
                          kp_first_guard);
}

static int worker_of(const kp_machine *machine, int processor)
{
    return machine->pool->fibers[processor].worker->index;
}

/* --- For the deadlock detector --- */

/* Returns `member` if it points to a member of one of the machine's groups, otherwise NULL. The
 * pointer may be stale, so this function compares it and never reads what it points to. */
static kp_group *member_if_any(const kp_machine *machine, kp_group *member)
{
    /* seldom taken: the group has been freed */
    for (struct kp_shared *s = machine->groups; s; s = s->next) {
        /* seldom taken: the member's group may lie behind this one */
        if (member >= s->members && member < s->members + s->size)
            return member;
    }
    return NULL;
}

/* Fills in what is known about a waiting fiber. The detector holds the machine's lock, so parked
 * workers stay parked, and their fibers do not move. The other fibers of the caller's own worker do
 * not move either. For all these fibers the note is exact. A fiber of any other worker may go on at
 * any time. For such a fiber the note only says that it waits and that its bell has not been
 * rung. */
static bool note(const kp_proc *proc, struct kp_note *note)
{
    const struct kp_fiber *fiber = &proc->machine->pool->fibers[proc->number];
    const struct kp_worker *worker = fiber->worker;
    if (!kp_is_parked(&fiber->parked))
        return false;
    note->exact = (kp_self.fiber && kp_self.fiber->worker == worker) ||
                  atomic_load_explicit(&worker->counted, KP_ORDER_INSPECT);
    note->member = atomic_load_explicit(&fiber->parked.in, KP_ORDER_NOTE);
    note->since = 0;
    if (!note->exact) {
        note->member = member_if_any(proc->machine, note->member);
        /* seldom taken: the group has been freed */
        return note->member && (kp_mail_awaited(note->member) < 0 || kp_is_asleep(&fiber->parked));
    }
    if (!note->member) /* seldom taken: only the wait for readers */
        return false;
    struct kp_wait_word *word = atomic_load_explicit(&fiber->parked.on, KP_ORDER_NOTE);
    note->since = fiber->deadline == KP_NEVER
                      ? kp_queue_of(word, worker)->since
                      : fiber->deadline / 1000000 - proc->machine->config.time_limit_ms + 1;
    return kp_deadlock_sleeps(note->member,
                              atomic_load_explicit(&fiber->parked.value, KP_ORDER_NOTE));
}

/* --- Workers that share a core --- */

#define MOST_PATIENCE 64

/* Returns whether a worker with a smaller number last waited on this core. */
static bool is_shared(const struct kp_worker *worker, int core)
{
    const struct kp_pool *pool = worker->machine->pool;
    for (int i = 0; i < worker->index; i++) { /* seldom taken: part is seldom called so far */
        /* seldom taken: the system decides where threads run */
        if (atomic_load_explicit(&pool->workers[i].core, KP_ORDER_NOTE) == core)
            return true;
    }
    return false;
}

void kp_worker_part(struct kp_worker *worker)
{
    const int core = kp_core_here();
    atomic_store_explicit(&worker->core, core, KP_ORDER_NOTE);
    /* seldom taken: the system decides where threads run, and mostly knows it */
    if (++worker->crowded < worker->patience || worker->machine->cores > 0 || core < 0)
        return;
    worker->crowded = 0;
    if (!is_shared(worker, core)) /* seldom taken: the system decides where threads run */
        return;
    kp_leave_core(core);
    worker->patience += worker->patience < MOST_PATIENCE; /* seldom taken: as above */
}

const struct kp_carrier_row kp_fibers_row = {
    .thread_stack = KP_FIBERS_WORKER_STACK,
    .complete = complete,
    .make = make,
    .free = kp_fibers_free,
    .prepare = kp_fibers_prepare,
    .carry = kp_fibers_carry,
    .carry_rest = kp_fibers_carry_rest,
    .worker_of = worker_of,
    .make_word = make_word,
    .free_word = free_word,
    .wait = kp_fiber_wait,
    .wake = kp_fiber_wake,
    .yield = kp_fiber_yield,
    .sleep = kp_fiber_sleep,
    .looks = kp_fiber_looks,
    .looks_on = kp_fiber_looks_on,
    .looks_for = kp_fiber_looks_for,
    .note = note,
};
