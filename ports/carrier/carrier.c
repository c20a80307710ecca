/* The table of carriers, and the code that all carriers share: it starts and ends a machine's
 * threads, and knows which processor a thread carries. */
#include "ports/carrier/carrier.h"

#include "ports/carrier/cpus.h"
#include "ports/carrier/sanitizer.h"
#include "ports/carrier/wire.h"
#include "ports/error.h"
#include "ports/machine_data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct kp_carrier_row *kp_carrier_of(const struct kp_machine_config *config)
{
    if (config->wire)
        return config->workers > 0 ? &kp_wired_fibers_row : &kp_wired_row;
    if (config->carrier == KP_CARRIER_THREADS)
        return &kp_threads_row;
    if (config->carrier == KP_CARRIER_FIBERS)
        return &kp_fibers_row;
    kp_set_error(KP_EARGUMENT,
                 "carrier is %d; it may be %d (threads), %d (fibers) or %d (processes of an MPI)",
                 (int)config->carrier, KP_CARRIER_THREADS, KP_CARRIER_FIBERS, KP_CARRIER_MPI);
    return NULL;
}

bool kp_threads_are_shared(const struct kp_machine_config *config)
{
    return kp_carrier_of(config)->wait && config->workers < config->processors;
}

int kp_complete_stack(struct kp_machine_config *config, size_t usual, size_t least)
{
    if (config->stack_bytes == 0)
        config->stack_bytes = usual;
    if (config->stack_bytes < least)
        return kp_set_error(KP_EARGUMENT, "stack_bytes is %zu; it may be %zu or more, or 0 for %zu",
                            config->stack_bytes, least, usual);
    return KP_OK;
}

/* --- Which processor a thread carries --- */

_Thread_local KP_FAST_TLS struct kp_self kp_self;

static pthread_key_t carried_key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static int key_status;
_Atomic uint32_t kp_forks;

static void in_child(void)
{
    kp_live_unlock();
    atomic_fetch_add_explicit(&kp_forks, 1, KP_ORDER_FORK);
}

static size_t stack_of(const kp_machine *machine)
{
    size_t own = machine->carrier->thread_stack;
    return own ? own : machine->config.stack_bytes;
}

/* Records that all programs of this thread have ended. The last thread wakes the caller of the
 * run. */
static void programs_over(kp_machine *machine)
{
    /* The subtraction is a release, so the caller of the run sees the programs' results (partner:
     * kp_machine_run). */
    if (atomic_fetch_sub_explicit(&machine->remaining.value, 1, KP_ORDER_PUBLISH) == 1)
        kp_wake_all(&machine->remaining);
}

static struct kp_hand *hand_of(const kp_proc *self)
{
    const kp_machine *machine = self->machine;
    if (kp_machine_use_of(machine) != KP_USE_RUN)
        return NULL;
    if (machine->config.follows)
        machine = machine->first_local;
    int (*worker_of)(const kp_machine *, int) = machine->carrier->worker_of;
    return &machine->hand[worker_of ? worker_of(machine, self->number) : self->number];
}

/* musl 1.2.3 cancels a thread asynchronously by a jump. The destructors then begin on a stack that
 * is not aligned as a call aligns it. The first vector stored on this stack would end the process,
 * so the destructor below aligns its stack itself. */
#if defined(__x86_64__) || defined(__i386__)
#define ALIGNS_ITS_STACK __attribute__((force_align_arg_pointer))
#else
#define ALIGNS_ITS_STACK
#endif

/* The destructor of the thread-specific word. This word is set only while the thread carries a
 * processor, so the destructor runs only if the thread ends within a program. It runs the programs
 * of the thread's other processors. If one of these programs ends the thread, the word is set
 * again, so the system calls this destructor again. */
ALIGNS_ITS_STACK static void thread_ends(void *value)
{
    kp_proc *self = kp_self.carried;
    kp_machine *machine = self->machine;
    struct kp_hand *hand = hand_of(self);
    (void)value; /* one of the thread's processors, not always the one that runs */
    if (hand)
        kp_marks_cut(hand->stack, stack_of(machine));
    kp_self.carried = NULL;
    if (machine->forks != kp_fork_count()) /* seldom taken: only in a fork's child */
        return;
    if (machine->carrier->carry_rest)
        (void)kp_carry(self);
    kp_proc_vanished(self);
    if (!hand) {
        kp_processor_left(self);
        return;
    }
    atomic_store_explicit(&hand->vanished, 1, KP_ORDER_STATE);
    if (machine->carrier->carry_rest) {
        machine->carrier->carry_rest(self);
        (void)kp_carry(NULL);
    }
    /* A thread over an MPI may carry processors of several machines. It was started for one. */
    programs_over(hand->machine);
}

static void make_key(void)
{
    key_status = pthread_key_create(&carried_key, thread_ends);
    /* While a thread holds the lock of the table of handles, a fork waits, because the child
     * process reads this table. */
    if (key_status == 0) /* untaken: only if libc has no memory */
        key_status = pthread_atfork(kp_live_lock, kp_live_unlock, in_child);
}

int kp_carry(kp_proc *self)
{
    pthread_once(&key_once, make_key);
    /* untaken: only if libc has no memory */
    if (key_status != 0 || pthread_setspecific(carried_key, self) != 0)
        return kp_set_error(KP_ETHREAD, "no thread-specific data left for kport");
    kp_self.carried = self;
    return KP_OK;
}

/* --- The machine's threads --- */

int kp_hands_of(const struct kp_machine_config *config)
{
    return config->wire          ? !config->follows
           : config->workers > 0 ? config->workers
                                 : config->processors;
}

int kp_hand_first(const kp_machine *machine, int hand)
{
    const struct kp_wire *wire = machine->config.wire;
    return wire ? wire->processor + hand : (int)((int64_t)machine->n * hand / machine->hands);
}

void kp_hold_thread(kp_machine *machine)
{
    if (machine->config.wire)
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &machine->cancel_state);
}

void kp_release_thread(const kp_machine *machine)
{
    if (machine->config.wire)
        pthread_setcancelstate(machine->cancel_state, NULL);
}

/* Runs the programs of all processors of this thread. If the thread-specific word cannot be set, it
 * runs none of them, and these processors fail with that error. */
static void carry_all(kp_machine *machine, int hand)
{
    int first = kp_hand_first(machine, hand), end = kp_hand_first(machine, hand + 1);
    if (kp_carry(&machine->procs[first]) == KP_OK) { /* untaken: only if libc has no memory */
        kp_hold_thread(machine);
        machine->carrier->carry(machine, hand);
        kp_release_thread(machine);
        (void)kp_carry(NULL);
        return;
    }
    for (int i = first; i < end; i++)
        kp_proc_returned(&machine->procs[i], kp_proc_keep_error(&machine->procs[i]));
}

/* How a new thread waits for its first run: it sleeps without yielding. If there are more threads
 * than cores, waiting threads that yield to each other would use up the core, and the other threads
 * would start late. */
static const struct kp_waiter patient = {.yields = 0};

static void *serve(void *argument)
{
    struct kp_hand *hand = argument;
    kp_machine *machine = hand->machine;
    uint32_t run = hand->run;
    hand->stack = (const char *)__builtin_frame_address(0) + KP_CACHE_LINE;
    do {
        /* Acquires the program and its argument (partner: kp_machine_run). */
        run = kp_wait_change(&machine->go, run, &patient);
        if (machine->stopping)
            return NULL;
        carry_all(machine, hand->index);
        if (machine->forks != kp_fork_count())
            pthread_exit(NULL); /* the child process has only this thread, and the machine belongs
                                   to the parent process */
        programs_over(machine);
    } while (!machine->config.once);
    return NULL;
}

/* Makes a thread stay on the CPUs that the configuration gives it. Returns 0 or an errno value. */
static int bind_one(const kp_machine *machine, int i, pthread_attr_t *attributes)
{
    struct kp_affinity cpus = {.count = 0};
    if (machine->config.cpus)
        kp_cpus_at(machine->config.cpus, i, machine->hands, &cpus);
    else if (machine->cores > 0 && !(machine->keeping && kp_keeping_is_over(machine->keeping)))
        kp_cpus_one(kp_core_at(kp_core_of(i, machine->hands, machine->cores)), &cpus);
    else if (!kp_keeping_share(machine, &cpus))
        return 0;
    /* seldom taken: kernels may refuse to tell the cores */
    return cpus.count > 0 ? kp_pin_to(attributes, &cpus) : ENOTSUP;
}

static int start_one(kp_machine *machine, int i)
{
    struct kp_hand *hand = &machine->hand[i];
    pthread_attr_t attributes;
    int failed = pthread_attr_init(&attributes);
    if (failed) /* untaken: only if libc has no memory */
        return failed;
    failed = pthread_attr_setstacksize(&attributes, stack_of(machine));
    if (!failed) /* untaken: only if libc has no memory */
        failed = bind_one(machine, i, &attributes);
    hand->machine = machine;
    hand->index = i;
    hand->run = atomic_load_explicit(&machine->go.value, KP_ORDER_OBSERVE);
    atomic_store_explicit(&hand->vanished, 0, KP_ORDER_STATE);
    if (!failed) /* seldom taken: no core may be known for the thread */
        failed = pthread_create(&hand->thread, &attributes, serve, hand);
    pthread_attr_destroy(&attributes);
    hand->exists = !failed;
    return failed;
}

static void join_one(struct kp_hand *hand)
{
    if (hand->exists)
        pthread_join(hand->thread, NULL);
    hand->exists = false;
}

static int make_hands(kp_machine *machine)
{
    machine->hand = calloc((size_t)machine->hands, sizeof *machine->hand);
    if (!machine->hand)
        return kp_set_error(KP_EMEMORY, "no memory for %d threads", machine->hands);
    if (machine->cores > 0 && machine->config.pin == KP_PIN_AUTO)
        machine->keeping = kp_keeping_make(machine);
    return KP_OK;
}

int kp_carriers_start(kp_machine *machine, int *started)
{
    const struct kp_carrier_row *carrier = machine->carrier;
    int status = carrier->prepare ? carrier->prepare(machine) : KP_OK, failed = 0;
    *started = 0;
    if (!status && !machine->hand && machine->hands > 0)
        status = make_hands(machine);
    if (status)
        return status;
    for (int i = 0; i < machine->hands; i++) {
        struct kp_hand *hand = &machine->hand[i];
        if (atomic_load_explicit(&hand->vanished, KP_ORDER_STATE))
            join_one(hand);
        if (!hand->exists && !failed)
            failed = start_one(machine, i);
        *started += hand->exists;
    }
    if (failed) {
        char stacks[48] = "";
        if (!carrier->thread_stack)
            snprintf(stacks, sizeof stacks, " (stacks of %zu bytes)", stack_of(machine));
        kp_carriers_stop(machine);
        return kp_set_error(KP_ETHREAD, "only %d of %d %s could be started%s: %s", *started,
                            machine->hands, stacks[0] ? "threads" : "workers", stacks,
                            strerror(failed));
    }
    if (machine->keeping)
        kp_keeping_run(machine->keeping);
    return KP_OK;
}

void kp_carriers_stop(kp_machine *machine)
{
    machine->stopping = true;
    /* The addition is a release, so the threads that wait for the next run see `stopping` (partner:
     * KP_ORDER_OBSERVE in their wait). */
    atomic_fetch_add_explicit(&machine->go.value, 1, KP_ORDER_PUBLISH);
    kp_wake_all(&machine->go);
    for (int i = 0; machine->hand && i < machine->hands; i++)
        join_one(&machine->hand[i]);
    kp_keeping_free(machine->keeping);
    free(machine->hand);
    machine->keeping = NULL;
    machine->hand = NULL;
    machine->stopping = false;
}

/* --- Words that processors wait for --- */

int kp_wait_word_make(kp_machine *machine, struct kp_wait_word *word, int processor)
{
    const struct kp_carrier_row *carrier = machine->carrier;
    return carrier->make_word ? carrier->make_word(machine, word, processor) : KP_OK;
}

void kp_wait_word_free(struct kp_wait_word *word)
{
    if (word->carrier)
        word->carrier->free_word(word);
}
