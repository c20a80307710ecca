/* This header has the data of processors that are fibers. A machine of fibers has W threads, called
 * workers. Each processor belongs to one worker for the machine's life. A worker has a list of
 * ready fibers, and queues of fibers that wait for a word to change.
 *
 * fibers_run.c has the actions of a fiber on its worker: it waits, wakes other fibers, and switches
 * to another fiber. fibers.c makes workers, fibers and the words that fibers wait for, and informs
 * the deadlock detector about waiting fibers. */
#ifndef KPORT_PORTS_CARRIER_FIBERS_H
#define KPORT_PORTS_CARRIER_FIBERS_H

#include "ports/carrier/carrier.h"
#include "ports/carrier/inbox.h"
#include "ports/carrier/sanitizer.h"
#include "ports/carrier/stack.h"
#include "ports/carrier/switch.h"
#include "ports/machine_data.h"
#include "ports/self.h"

/* The state of one processor's program. Only the fiber's worker uses it. */
struct kp_fiber {
    /* The next fiber in the ready list or in a queue of waiting fibers. */
    alignas(KP_CACHE_LINE) struct kp_fiber *next;
    struct kp_worker *worker;
    kp_proc *proc; /* the processor; NULL in a worker's `main`, which is no fiber */
    struct kp_parked parked;
    struct kp_context context;
    bool fresh; /* the fiber has not begun to run */

    /* The time at which the fiber's wait times out, in ns of the monotonic clock; KP_NEVER: no
     * limit. */
    uint64_t deadline;
    struct kp_marks marks;
    kp_error_record errors;
};

#define KP_NEVER UINT64_MAX

/* A small stack is enough, because a worker's own thread only waits for runs and starts fibers. */
#define KP_FIBERS_WORKER_STACK ((size_t)1 << 18)

/* How a worker learns that the word of one of its queues has changed:
 *   QUIET   no fiber waits in the queue, or the worker itself reads the word again and again
 *           (the queue is in `polled`)
 *   ARMED   the thread that changes the word will put the queue into the worker's inbox
 *   POSTED  a thread has put the queue into the inbox, and the worker has not taken it out yet */
enum kp_queue_state {
    KP_QUEUE_QUIET,
    KP_QUEUE_ARMED,
    KP_QUEUE_POSTED,
};

/* The fibers of one worker that wait for one word. Only the worker uses the first cache line. */
struct kp_wait_queue {
    alignas(KP_CACHE_LINE) struct kp_fiber *first;
    struct kp_fiber *last;
    struct kp_wait_word *word;
    struct kp_worker *worker;
    uint64_t since; /* the time (kp_deadlock_clock) at which the queue was armed; 0: not armed */
    uint32_t old; /* the word's value when the fibers began to wait; they wait for another value */
    int polled;   /* the queue's index in the worker's `polled`, or -1 */
    alignas(KP_CACHE_LINE) _Atomic int state; /* a value of enum kp_queue_state */
    struct kp_inbox_item item; /* the part of the queue that is linked into an inbox */
    /* These two are used only in the first queue of a word. `gone` is a link in the list of freed
     * words' queues (free_word in fibers.c). `count` is the number of the word's queues. */
    struct kp_wait_queue *gone;
    int count;
};

#define KP_POLLED 4

struct kp_worker {
    /* Ready fibers, in the order in which they became ready; empty with a seed. */
    struct kp_fiber *first, *last;
    struct kp_fiber **bag; /* with a seed: the ready fibers, of which one is drawn at random */
    int in_bag;
    uint64_t random;
    uint64_t trace; /* a hash of the order in which fibers have run so far */
    int polls;      /* the number of queues in `polled` */
    struct kp_wait_queue *polled[KP_POLLED];
    /* How many switches the worker makes before it checks its polled words and its inbox again. */
    int countdown;
    int alive;     /* the number of the worker's fibers that have not ended */
    int uncounted; /* how many of these wait for readers or sleep, unknown to the detector */
    bool canaries; /* the stacks have canaries, which are checked when a fiber waits or ends */
    bool watched;  /* a sanitizer is told of every switch; here, because this line is at hand */
    struct kp_fiber *came_from; /* the fiber that ran last on this worker */
    struct kp_fiber main;       /* the program of the worker's thread itself */
    uint64_t soonest; /* a time at or before the earliest deadline of the worker's fibers */
    kp_machine *machine;
    struct kp_fiber *fibers; /* the fibers of this worker */
    int index, count;        /* the worker's number, and the number of its fibers */
    /* Over a wire: counts what its fibers have done beside looking for messages. */
    uint64_t news;
    /* How long the worker may look for ready fibers before it parks. */
    struct kp_waiter idling;
    int spins; /* how often the worker now looks with a pause, before it begins to yield */
    /* How many waits in a row have ended because another worker got this core; how many make this
     * worker leave the core. */
    int crowded, patience;

    /* The queues that other threads have posted to this worker. */
    alignas(KP_CACHE_LINE) kp_inbox inbox;
    _Atomic int parked;
    _Atomic int core;     /* the core on which the worker last waited; -1: not known */
    _Atomic bool counted; /* the deadlock detector counts the worker's fibers as waiting */
    /* A parked worker sleeps on this word; adding 1 to the word wakes the worker. */
    struct kp_wait_word bell;
};

/* All workers and fibers of a machine. */
struct kp_pool {
    int count;
    struct kp_worker *workers;
    int fiber_count;
    /* One fiber for each processor, indexed by processor; over a wire by its index in the process.
     */
    struct kp_fiber *fibers;
    struct kp_fiber **bag;   /* the memory of all workers' bags */
    struct kp_stacks stacks; /* the stacks of all fibers, made for the first run and then kept */
    /* Queues of freed words that may still lie in an inbox. Protected by the machine's lock. */
    struct kp_wait_queue *gone;
};

/* Returns the queue in which the worker's fibers wait for the word. */
static inline struct kp_wait_queue *kp_queue_of(struct kp_wait_word *word,
                                                const struct kp_worker *worker)
{
    return &word->queues[word->queue_count > 1 ? worker->index : 0];
}

/* Returns the number of a fiber among those of its machine. */
static inline int kp_fiber_number(const struct kp_fiber *fiber)
{
    return (int)(fiber - fiber->worker->machine->pool->fibers);
}

/* --- fibers_run.c --- */

/* These functions stand in the carrier's row (struct kp_carrier_row). */
uint32_t kp_fiber_wait(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter);
void kp_fiber_wake(struct kp_wait_word *word);
void kp_fiber_yield(kp_proc *self);
int kp_fiber_looks(const kp_proc *self);
bool kp_fiber_looks_on(const kp_proc *self);
bool kp_fiber_looks_for(const kp_proc *self, kp_ready_now *ready, const void *context);
void kp_fibers_carry(kp_machine *machine, int hand);
void kp_fibers_carry_rest(kp_proc *self);

/* Lets other fibers run for at least this time. The calling fiber waits for nobody, so the deadlock
 * detector does not count it. Returns how much of the time the worker itself has still to sleep.
 * This may be above 0 only with a seed: then the fiber stays among those of which one is drawn,
 * because their order must not depend on the time. */
uint64_t kp_fiber_sleep(uint64_t nanoseconds);

/* --- fibers.c --- */

/* `kp_fibers_exist` returns whether this build has fibers, or sets the error of a configuration
 * that asks for them. `kp_fibers_make` makes the workers, and so many fibers, whose processors it
 * does not know. The others are those of the carrier's row. */
bool kp_fibers_exist(const struct kp_machine_config *config);
int kp_fibers_make(kp_machine *machine, int fibers);
int kp_fibers_prepare(kp_machine *machine);
void kp_fibers_free(kp_machine *machine);

/* The smallest stack of a fiber. It is not PTHREAD_STACK_MIN, because that is for threads and on
 * aarch64 exceeds the fibers' default. */
#define KP_LEAST_FIBER_STACK ((size_t)16 << 10)

#define KP_LEAST_PATIENCE 8

/* A few yields let another thread run, which made a fiber ready. If this happens again and again,
 * two workers share a core, and each of their messages takes a switch of threads. The system may
 * leave them there, so the worker with the larger number leaves. It is more patient each time. */
void kp_worker_part(struct kp_worker *worker);

/* The kind of stack guard that is tried first (stack.h). Tests set it. */
extern enum kp_guard kp_first_guard;

#endif
