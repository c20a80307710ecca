/* The table of carriers, and what they have in common: which processor a thread carries, and the
 * threads that a machine starts. */
#include "ports/carrier/carrier.h"

#include "ports/error.h"
#include "ports/machine_data.h"

#include <errno.h>

static const struct kp_carrier_row *const rows[] = {
    [KP_CARRIER_THREADS] = &kp_threads_row,
    [KP_CARRIER_FIBERS] = &kp_fibers_row,
};

#define ROWS ((int)(sizeof rows / sizeof rows[0]))

const struct kp_carrier_row *kp_carrier_row_of(kp_carrier carrier)
{
    if ((int)carrier >= 0 && (int)carrier < ROWS)
        return rows[carrier];
    kp_set_error(KP_EARGUMENT, "carrier is %d; it may be %d (threads) or %d (fibers)", (int)carrier,
                 KP_CARRIER_THREADS, KP_CARRIER_FIBERS);
    return NULL;
}

int kp_complete_stack(kp_config *config, size_t usual, size_t least)
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
    self->machine->carrier->thread_ends(self);
}

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

void kp_self_point(void)
{
    kp_self.carried->machine->carrier->point();
}

/* --- The machine's threads --- */

int kp_thread_attributes(const kp_machine *machine, int i, size_t stack, pthread_attr_t *made)
{
    int failed = pthread_attr_init(made);
    if (failed)
        return failed;
    failed = pthread_attr_setstacksize(made, stack);
    if (!failed && machine->cores > 0) {
        int core = kp_core_at(kp_core_of(i, machine->hands, machine->cores));
        failed = core >= 0 ? kp_pin_to(made, core) : ENOTSUP;
    }
    if (failed)
        pthread_attr_destroy(made);
    return failed;
}

void kp_programs_over(kp_machine *machine)
{
    /* Releases what the program did to who waits for the run (partner: kp_machine_run). */
    if (atomic_fetch_sub_explicit(&machine->remaining.value, 1, KP_ORDER_PUBLISH) == 1)
        kp_wake_all(&machine->remaining);
}

int kp_carriers_start(kp_machine *machine, int *started)
{
    *started = 0;
    return machine->carrier->start(machine, started);
}

void kp_carriers_stop(kp_machine *machine)
{
    machine->stopping = true;
    /* Releases `stopping`. Partner: KP_ORDER_OBSERVE in the wait for the next run. */
    atomic_fetch_add_explicit(&machine->go.value, 1, KP_ORDER_PUBLISH);
    kp_wake_all(&machine->go);
    machine->carrier->join(machine);
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
