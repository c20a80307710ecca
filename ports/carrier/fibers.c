/* Processors carried by fibers: the workers of a machine, made, started and ended. */
#include "ports/carrier/fibers.h"

#include "ports/error.h"

#include <stdlib.h>
#include <string.h>

#define WORKER_STACK  ((size_t)1 << 18) /* of its own: it only waits for runs, and begins them */
#define DEFAULT_STACK ((size_t)64 << 10)
/* PTHREAD_STACK_MIN is about threads: on aarch64 it is more than fibers have by default. */
#define LEAST_STACK ((size_t)16 << 10)

static _Atomic int first_guard;

static const struct kp_waiter patient = {.yields = 16};

void kp_guards_from(enum kp_guard first)
{
    atomic_store_explicit(&first_guard, (int)first, KP_ORDER_FORK);
}

static bool has_fibers(const kp_machine *machine)
{
    return machine->carrier == &kp_fibers_row;
}

const struct kp_stacks *kp_machine_stacks(const kp_machine *machine)
{
    return &kp_crew_of(machine)->stacks;
}

const char *kp_machine_guard(const kp_machine *machine)
{
    return has_fibers(machine) ? kp_guard_name(kp_machine_stacks(machine)->guard) : NULL;
}

uint64_t kp_machine_trace(const kp_machine *machine)
{
    return has_fibers(machine) && machine->hands == 1 ? kp_crew_of(machine)->workers[0].trace : 0;
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

static int hands(const struct kp_machine_config *config)
{
    return config->workers;
}

/* A fiber leaves at once; it is its worker that looks on. */
static void looks(kp_wait_policy wait, struct kp_waiter *waiter)
{
    (void)wait;
    *waiter = (struct kp_waiter){.spins = 0};
}

/* --- Words that fibers wait for --- */

static void *lines(size_t count, size_t bytes)
{
    void *memory;
    if (posix_memalign(&memory, KP_CACHE_LINE, count * bytes) != 0)
        return NULL;
    return memset(memory, 0, count * bytes);
}

static int make_word(kp_machine *machine, struct kp_wait_word *word, int processor)
{
    struct kp_crew *crew = kp_crew_of(machine);
    int count = processor < 0 ? crew->count : 1;
    word->queues = lines((size_t)count, sizeof *word->queues);
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
    struct kp_crew *crew = kp_crew_of(queues->worker->machine);
    word->queues = NULL;
    word->carrier = NULL;
    queues->gone = crew->gone;
    crew->gone = queues;
    bury(crew, false);
}

/* --- Making --- */

static bool worker_make(kp_machine *machine, int index)
{
    struct kp_crew *crew = kp_crew_of(machine);
    struct kp_worker *worker = &crew->workers[index];
    int64_t n = machine->n;
    worker->machine = machine;
    worker->index = index;
    worker->begin = (int)(n * index / crew->count);
    worker->count = (int)(n * (index + 1) / crew->count) - worker->begin;
    worker->idling = kp_looks_of(machine->config.wait);
    worker->spins = worker->idling.spins;
    worker->main.worker = worker;
    atomic_store_explicit(&worker->bell.value, kp_first_counters.rings, KP_ORDER_RESET);
    for (int i = 0; i < worker->count; i++) {
        struct kp_fiber *fiber = &crew->fibers[worker->begin + i];
        fiber->worker = worker;
        fiber->proc = &machine->procs[worker->begin + i];
    }
    if (machine->config.seed != 0)
        worker->bag = malloc((size_t)worker->count * sizeof(struct kp_fiber *));
    return machine->config.seed == 0 || worker->bag;
}

static int make(kp_machine *machine)
{
    struct kp_crew *crew = calloc(1, sizeof *crew);
    machine->pool = crew;
    bool made = crew;
    if (made) {
        crew->count = machine->hands;
        crew->workers = lines((size_t)crew->count, sizeof *crew->workers);
        crew->fibers = lines((size_t)machine->n, sizeof *crew->fibers);
        made = crew->workers && crew->fibers;
    }
    for (int i = 0; made && i < crew->count; i++)
        made = worker_make(machine, i);
    return made ? KP_OK
                : kp_set_error(KP_EMEMORY, "no memory for %d fibers and %d workers", machine->n,
                               machine->config.workers);
}

static void free_all(kp_machine *machine)
{
    struct kp_crew *crew = kp_crew_of(machine);
    if (!crew)
        return;
    for (int i = 0; crew->workers && i < crew->count; i++)
        free(crew->workers[i].bag);
    bury(crew, true);
    kp_stacks_free(&crew->stacks);
    free(crew->workers);
    free(crew->fibers);
    free(crew);
    machine->pool = NULL;
}

/* --- A worker's thread --- */

static void fiber_reset(struct kp_fiber *fiber)
{
    fiber->fresh = true;
    fiber->timed = false;
    atomic_store_explicit(&fiber->queue, NULL, KP_ORDER_NOTE);
    fiber->errors.status = KP_OK;
    fiber->errors.sentence[0] = '\0';
    fiber->errors.processor = fiber->errors.round = fiber->errors.port = -1;
    fiber->errors.peer = fiber->errors.line = -1;
}

/* All of the worker's fibers stand ready, in order, as if nothing had ever run. */
static void line_up(struct kp_worker *worker)
{
    struct kp_fiber *fibers = &kp_crew_of(worker->machine)->fibers[worker->begin];
    worker->first = worker->soonest = worker->latest = NULL;
    worker->in_bag = worker->polls = worker->countdown = worker->unwatched = 0;
    worker->alive = worker->count;
    worker->canaries = kp_crew_of(worker->machine)->stacks.guard == KP_GUARD_CANARIES;
    kp_fibers_order(worker, worker->machine->config.seed);
    for (int i = 0; i < worker->count; i++) {
        fiber_reset(&fibers[i]);
        kp_fibers_ready(worker, &fibers[i], &fibers[i]);
    }
}

static void finish(struct kp_worker *worker)
{
    struct kp_fiber *fibers = &kp_crew_of(worker->machine)->fibers[worker->begin];
    for (int i = 0; i < worker->count; i++)
        kp_marks_free(&fibers[i].marks);
    (void)kp_carry(NULL);
    kp_programs_over(worker->machine);
}

/* Without its thread-specific word a thread carries nothing: all its programs fail. */
static void fail_all(struct kp_worker *worker)
{
    for (int i = 0; i < worker->count; i++) {
        kp_proc *proc = &worker->machine->procs[worker->begin + i];
        kp_proc_keep_error(proc);
        kp_proc_returned(proc, proc->error.status);
    }
}

static void *work(void *argument)
{
    struct kp_worker *worker = argument;
    kp_machine *machine = worker->machine;
    worker->stack = (const char *)__builtin_frame_address(0) + KP_CACHE_LINE;
    uint32_t run = worker->run;
    for (;;) {
        /* Acquires the program and its argument. Partner: kp_machine_run. */
        run = kp_wait_change(&machine->go, run, &patient);
        if (machine->stopping)
            return NULL;
        line_up(worker);
        if (kp_carry(&machine->procs[worker->begin]) == KP_OK)
            kp_worker_run(worker);
        else
            fail_all(worker);
        if (machine->forks != kp_fork_count())
            pthread_exit(NULL); /* the only thread of a child process; the rest is its parent's */
        finish(worker);
    }
}

/* The thread ends within a fiber, whose stack is left as it is. The thread-specific word is set
 * again, so that the next one to end it comes here too; the other fibers go on from here. */
static void thread_ends(kp_proc *self)
{
    (void)self;
    struct kp_fiber *fiber = kp_self.fiber;
    struct kp_worker *worker = fiber->worker;
    kp_machine *machine = worker->machine;
    kp_marks_cut(worker->stack, WORKER_STACK);
    if (machine->forks != kp_fork_count())
        return;
    (void)kp_carry(fiber->proc);
    atomic_store_explicit(&worker->vanished, 1, KP_ORDER_STATE);
    kp_fiber_abandon(fiber);
    kp_worker_run(worker);
    finish(worker);
}

/* --- Starting and ending --- */

static void join_one(kp_machine *machine, struct kp_worker *worker)
{
    if (!worker->exists)
        return;
    pthread_join(worker->thread, NULL);
    worker->exists = false;
    machine->started--;
}

static int start_one(kp_machine *machine, struct kp_worker *worker)
{
    pthread_attr_t attributes;
    int failed = kp_thread_attributes(machine, worker->index, WORKER_STACK, &attributes);
    if (failed)
        return failed;
    worker->run = atomic_load_explicit(&machine->go.value, KP_ORDER_OBSERVE);
    atomic_store_explicit(&worker->vanished, 0, KP_ORDER_STATE);
    failed = pthread_create(&worker->thread, &attributes, work, worker);
    pthread_attr_destroy(&attributes);
    worker->exists = !failed;
    machine->started += !failed;
    return failed;
}

static int start(kp_machine *machine, int *started)
{
    struct kp_crew *crew = kp_crew_of(machine);
    if (!crew->stacks.memory) {
        int status =
            kp_stacks_make(&crew->stacks, machine->n, machine->config.stack_bytes,
                           (enum kp_guard)atomic_load_explicit(&first_guard, KP_ORDER_FORK));
        if (status)
            return status;
    }
    for (int i = 0; i < crew->count; i++) {
        struct kp_worker *worker = &crew->workers[i];
        if (worker->exists && atomic_load_explicit(&worker->vanished, KP_ORDER_STATE))
            join_one(machine, worker);
        int failed = worker->exists ? 0 : start_one(machine, worker);
        if (failed) {
            *started = machine->started;
            kp_carriers_stop(machine);
            return kp_set_error(KP_ETHREAD, "only %d of %d workers could be started: %s", *started,
                                crew->count, strerror(failed));
        }
    }
    *started = machine->started;
    return KP_OK;
}

static void join(kp_machine *machine)
{
    struct kp_crew *crew = kp_crew_of(machine);
    for (int i = 0; crew->workers && i < crew->count; i++)
        join_one(machine, &crew->workers[i]);
}

static int worker_of(const kp_machine *machine, int processor)
{
    return kp_crew_of(machine)->fibers[processor].worker->index;
}

const struct kp_carrier_row kp_fibers_row = {
    .complete = complete,
    .hands = hands,
    .looks = looks,
    .make = make,
    .free = free_all,
    .start = start,
    .join = join,
    .thread_ends = thread_ends,
    .worker_of = worker_of,
    .make_word = make_word,
    .free_word = free_word,
    .wait = kp_fiber_wait,
    .wake = kp_fiber_wake,
    .point = kp_fiber_point,
    .parked_in = kp_fiber_parked_in,
    .parked_on = kp_fiber_parked_on,
    .note = kp_fiber_note,
};
