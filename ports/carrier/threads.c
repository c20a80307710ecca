/* Processors carried by threads, one each: the pool's threads, what happens when a thread ends, and
 * what the watch is told of one that parks. */
#include "ports/carrier/carrier.h"
#include "ports/carrier/keeping.h"
#include "ports/error.h"
#include "ports/machine_data.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_STACK ((size_t)1 << 20)

/* A thread of the pool. */
struct kp_thread {
    kp_proc *self;
    pthread_t thread;
    bool exists;          /* has been started and not been joined */
    _Atomic int vanished; /* its thread has ended by itself */
};

struct pool {
    struct kp_keeping *keeping; /* NULL: its threads are not kept, or were asked to be */
    struct kp_thread threads[];
};

static struct kp_thread *pool_of(const kp_machine *machine)
{
    return ((struct pool *)machine->pool)->threads;
}

/* NULL also for threads of the caller's. */
static struct kp_keeping *keeping_of(const kp_machine *machine)
{
    return machine->pool ? ((struct pool *)machine->pool)->keeping : NULL;
}

static int complete(struct kp_machine_config *config)
{
    if (config->workers != 0)
        return kp_set_error(KP_EARGUMENT,
                            "workers is %d; with processors that are threads it may be 0",
                            config->workers);
    if (config->seed != 0)
        return kp_set_error(KP_EARGUMENT,
                            "seed is %llu; with processors that are threads, whose order is the "
                            "system's, it may be 0",
                            (unsigned long long)config->seed);
    return kp_complete_stack(config, DEFAULT_STACK, (size_t)PTHREAD_STACK_MIN);
}

static int hands(const struct kp_machine_config *config)
{
    return config->processors;
}

/* --- The pool --- */

/* Where there are more threads than cores, yielding to each other while the rest are being started
 * would only keep the core from starting them. */
static const struct kp_waiter patient = {.yields = 0};

void kp_thread_ends(kp_proc *self)
{
    kp_machine *machine = self->machine;
    kp_self.carried = NULL;
    if (machine->forks != kp_fork_count())
        return;
    kp_proc_vanished(self);
    if (kp_machine_use_of(machine) == KP_USE_RUN) {
        atomic_store_explicit(&pool_of(machine)[self->number].vanished, 1, KP_ORDER_STATE);
        kp_programs_over(machine);
    } else {
        kp_seat_left(self);
    }
}

static void *carry_on(void *argument)
{
    struct kp_thread *carrier = argument;
    kp_proc *self = carrier->self;
    kp_machine *machine = self->machine;
    uint32_t run = self->run;
    for (;;) {
        /* Acquires the program and its argument. Partner: kp_machine_run. */
        run = kp_wait_change(&machine->go, run, &patient);
        if (machine->stopping)
            return NULL;
        int status = kp_carry(self);
        if (status == KP_OK)
            status = machine->program(self, machine->argument);
        else
            kp_proc_keep_error(self);
        (void)kp_carry(NULL);
        if (machine->forks != kp_fork_count())
            pthread_exit(NULL); /* the only thread of a child process; the rest is its parent's */
        kp_proc_returned(self, status);
        kp_programs_over(machine);
        if (machine->config.once)
            return NULL;
    }
}

static int start_one(kp_machine *machine, int i)
{
    struct kp_thread *carrier = &pool_of(machine)[i];
    pthread_attr_t attributes;
    int failed = kp_thread_attributes(machine, i, machine->config.stack_bytes, &attributes);
    if (failed)
        return failed;
    carrier->self = &machine->procs[i];
    carrier->self->run = atomic_load_explicit(&machine->go.value, KP_ORDER_OBSERVE);
    atomic_store_explicit(&carrier->vanished, 0, KP_ORDER_STATE);
    failed = pthread_create(&carrier->thread, &attributes, carry_on, carrier);
    pthread_attr_destroy(&attributes);
    carrier->exists = !failed;
    machine->started += !failed;
    if (!failed && keeping_of(machine))
        kp_keeping_started(keeping_of(machine), i, carrier->thread);
    return failed;
}

static void join_one(kp_machine *machine, struct kp_thread *carrier)
{
    if (!carrier->exists)
        return;
    pthread_join(carrier->thread, NULL);
    carrier->exists = false;
    machine->started--;
}

static int make_pool(kp_machine *machine)
{
    size_t bytes = (size_t)machine->n * sizeof(struct kp_thread);
    struct pool *pool = calloc(1, sizeof *pool + bytes);
    if (!pool)
        return KP_EMEMORY;
    machine->pool = pool;
    if (machine->cores > 0 && machine->config.pin == KP_PIN_AUTO)
        pool->keeping = kp_keeping_make(machine->n, machine->cores);
    return KP_OK;
}

static int start(kp_machine *machine, int *started)
{
    if (!machine->pool && make_pool(machine))
        return kp_set_error(KP_EMEMORY, "no memory for %d threads", machine->n);
    struct kp_thread *pool = pool_of(machine);
    for (int i = 0; i < machine->n; i++) {
        if (pool[i].exists && atomic_load_explicit(&pool[i].vanished, KP_ORDER_STATE))
            join_one(machine, &pool[i]);
        int failed = pool[i].exists ? 0 : start_one(machine, i);
        if (failed) {
            *started = machine->started;
            kp_carriers_stop(machine);
            return kp_set_error(KP_ETHREAD,
                                "only %d of %d threads could be started (stacks of %zu "
                                "bytes): %s",
                                *started, machine->n, machine->config.stack_bytes,
                                strerror(failed));
        }
    }
    *started = machine->started;
    if (keeping_of(machine))
        kp_keeping_run(keeping_of(machine));
    return KP_OK;
}

static void join(kp_machine *machine)
{
    for (int i = 0; i < machine->n; i++)
        join_one(machine, &pool_of(machine)[i]);
    kp_keeping_free(keeping_of(machine));
    free(machine->pool);
    machine->pool = NULL;
}

/* --- Notes for the watch --- */

static void parking(void *watched, struct kp_wait_word *word, uint32_t old)
{
    kp_group *seat = watched;
    kp_proc *self = seat->self;
    if (seat->since == 0)
        seat->since = kp_watch_clock();
    atomic_store_explicit(&self->parked_value, old, KP_ORDER_NOTE);
    atomic_store_explicit(&self->parked_in, seat, KP_ORDER_NOTE);
    atomic_store_explicit(&self->parked_on, word, KP_ORDER_NOTE);
    atomic_store_explicit(&self->parked, true, KP_ORDER_SHOW);
    kp_watch_many_parked(self->machine, 1);
    if (keeping_of(self->machine))
        kp_keeping_sleeps(keeping_of(self->machine), self->number, word, old,
                          self->machine->config.time_limit_ms);
}

/* It stays where it is until it has the lock, so its notes hold as long. */
static void lock_late(kp_proc *self)
{
    atomic_store_explicit(&self->parked, true, KP_ORDER_SHOW);
    pthread_mutex_lock(&self->machine->lock);
    atomic_store_explicit(&self->parked, false, KP_ORDER_NOTE);
}

static void unparked(void *watched)
{
    kp_group *seat = watched;
    kp_proc *self = seat->self;
    atomic_store_explicit(&self->parked, false, KP_ORDER_NOTE);
    if (keeping_of(self->machine))
        kp_keeping_wakes(keeping_of(self->machine), self->number);
    if (kp_watch_count_busy(self->machine, 1)) {
        lock_late(self);
        pthread_mutex_unlock(&self->machine->lock);
    }
}

void kp_thread_looks(kp_wait_policy wait, struct kp_waiter *waiter)
{
    *waiter = kp_looks_of(wait);
    waiter->parking = parking;
    waiter->unparked = unparked;
}

static void jumped(kp_proc *self)
{
    if (!atomic_exchange_explicit(&self->parked, false, KP_ORDER_NOTE))
        return;
    if (keeping_of(self->machine))
        kp_keeping_wakes(keeping_of(self->machine), self->number);
    kp_watch_many_unparked(self->machine, 1);
}

kp_group *kp_thread_parked_in(const kp_proc *proc)
{
    return atomic_load_explicit(&proc->parked, KP_ORDER_INSPECT)
               ? atomic_load_explicit(&proc->parked_in, KP_ORDER_NOTE)
               : NULL;
}

struct kp_wait_word *kp_thread_parked_on(const kp_proc *proc, uint32_t *old)
{
    if (!atomic_load_explicit(&proc->parked, KP_ORDER_INSPECT))
        return NULL;
    struct kp_wait_word *word = atomic_load_explicit(&proc->parked_on, KP_ORDER_NOTE);
    *old = atomic_load_explicit(&proc->parked_value, KP_ORDER_NOTE);
    return word;
}

bool kp_thread_note(const kp_proc *proc, struct kp_note *note)
{
    note->seat = kp_thread_parked_in(proc);
    if (!note->seat)
        return false;
    note->exact = true;
    note->since = note->seat->since;
    return kp_watch_sleeps(note->seat, atomic_load_explicit(&proc->parked_value, KP_ORDER_NOTE));
}

const struct kp_carrier_row kp_threads_row = {
    .complete = complete,
    .hands = hands,
    .attaches = true,
    .looks = kp_thread_looks,
    .start = start,
    .join = join,
    .thread_ends = kp_thread_ends,
    .parked_in = kp_thread_parked_in,
    .parked_on = kp_thread_parked_on,
    .note = kp_thread_note,
    .lock_late = lock_late,
    .jumped = jumped,
};
