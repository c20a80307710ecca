/* Processors carried by threads: the pool's threads, and what happens when a thread ends. */
#include "ports/error.h"
#include "ports/fiber.h"
#include "ports/machine_data.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A thread of the pool. */
struct kp_thread {
    kp_proc *self;
    pthread_t thread;
    bool exists;          /* has been started and not been joined */
    _Atomic int vanished; /* its thread has ended by itself */
};

/* --- Which processor a thread carries --- */

static pthread_key_t carried_key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static int key_status;
_Atomic uint32_t kp_forks;

/* A fork waits until nobody holds the table of handles: its child has to look into it. */
static void before_fork(void)
{
    kp_live_lock();
}

static void after_fork(void)
{
    kp_live_unlock();
}

static void in_child(void)
{
    kp_live_unlock();
    atomic_fetch_add_explicit(&kp_forks, 1, KP_ORDER_FORK);
}

static void thread_ends(void *value);

static void make_key(void)
{
    key_status = pthread_key_create(&carried_key, thread_ends);
    if (key_status == 0)
        key_status = pthread_atfork(before_fork, after_fork, in_child);
}

int kp_carry(kp_proc *self)
{
    pthread_once(&key_once, make_key);
    if (key_status != 0 || pthread_setspecific(carried_key, self) != 0)
        return kp_set_error(KP_ETHREAD, "no thread-specific data left for kport");
    kp_self.carried = self;
    return KP_OK;
}

/* --- The pool --- */

/* Where there are more threads than cores, yielding to each other while the rest are being started
 * would only keep the core from starting them. */
static const struct kp_waiter patient = {.yields = 0};

void kp_programs_over(kp_machine *machine)
{
    /* Releases what the program did to who waits for the run (partner: kp_machine_run). */
    if (atomic_fetch_sub_explicit(&machine->remaining.value, 1, KP_ORDER_PUBLISH) == 1)
        kp_wake_all(&machine->remaining);
}

/* musl 1.2.3 cancels a thread asynchronously by a jump, and destructors begin on a stack aligned as
 * no call leaves it: the first vector that is stored there would be the end of the process. */
#if defined(__x86_64__) || defined(__i386__)
#define ALIGNS_ITS_STACK __attribute__((force_align_arg_pointer))
#else
#define ALIGNS_ITS_STACK
#endif

/* The destructor of the thread-specific word: it is set only while a processor is carried, so the
 * thread ends in the middle of its program. */
ALIGNS_ITS_STACK static void thread_ends(void *value)
{
    kp_proc *self = value;
    kp_machine *machine = self->machine;
    if (kp_self.fiber) {
        kp_crew_thread_ends();
        return;
    }
    kp_self.carried = NULL;
    if (machine->forks != kp_fork_count())
        return;
    kp_proc_vanished(self);
    if (kp_machine_use_of(machine) == KP_USE_RUN) {
        atomic_store_explicit(&machine->carriers[self->number].vanished, 1, KP_ORDER_STATE);
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
        if (machine->once)
            return NULL;
    }
}

int kp_thread_attributes(const kp_machine *machine, int i, size_t stack, pthread_attr_t *made)
{
    int failed = pthread_attr_init(made);
    if (failed)
        return failed;
    failed = pthread_attr_setstacksize(made, stack);
    if (!failed && machine->config.pin) {
        int core = kp_core_at(kp_core_of(i, machine->hands, machine->cores));
        failed = core >= 0 ? kp_pin_to(made, core) : ENOTSUP;
    }
    if (failed)
        pthread_attr_destroy(made);
    return failed;
}

static int start_one(kp_machine *machine, int i)
{
    struct kp_thread *carrier = &machine->carriers[i];
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
    return failed;
}

static void join_one(kp_machine *machine, int i)
{
    if (!machine->carriers[i].exists)
        return;
    pthread_join(machine->carriers[i].thread, NULL);
    machine->carriers[i].exists = false;
    machine->started--;
}

int kp_carriers_start(kp_machine *machine, int *started)
{
    *started = 0;
    if (machine->crew)
        return kp_crew_start(machine, started);
    if (!machine->carriers)
        machine->carriers = calloc((size_t)machine->n, sizeof *machine->carriers);
    if (!machine->carriers)
        return kp_set_error(KP_EMEMORY, "no memory for %d threads", machine->n);
    for (int i = 0; i < machine->n; i++) {
        struct kp_thread *carrier = &machine->carriers[i];
        if (carrier->exists && atomic_load_explicit(&carrier->vanished, KP_ORDER_STATE))
            join_one(machine, i);
        int failed = carrier->exists ? 0 : start_one(machine, i);
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
    return KP_OK;
}

void kp_carriers_stop(kp_machine *machine)
{
    machine->stopping = true;
    /* Releases `stopping`. Partner: KP_ORDER_OBSERVE in carry_on's wait. */
    atomic_fetch_add_explicit(&machine->go.value, 1, KP_ORDER_PUBLISH);
    kp_wake_all(&machine->go);
    for (int i = 0; machine->carriers && i < machine->n; i++)
        join_one(machine, i);
    if (machine->crew)
        kp_crew_join(machine);
    machine->stopping = false;
    free(machine->carriers);
    machine->carriers = NULL;
}
