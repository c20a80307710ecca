/* Processors that are fibers: W threads, the workers, each with its part of the processors for
 * life, a ready list of them, and lists of those that wait.
 *
 * fibers_run.c is what a fiber does on its worker: wait, wake, switch. fibers.c makes workers,
 * fibers and the words that they wait for, and tells the watch where they do. */
#ifndef KPORT_PORTS_CARRIER_FIBERS_H
#define KPORT_PORTS_CARRIER_FIBERS_H

#include "ports/carrier/carrier.h"
#include "ports/carrier/inbox.h"
#include "ports/carrier/sanitizer.h"
#include "ports/carrier/stack.h"
#include "ports/carrier/switch.h"
#include "ports/machine_data.h"
#include "ports/self.h"

/* One processor's program, under way. All of it belongs to its worker. */
struct kp_fiber {
    alignas(KP_CACHE_LINE) struct kp_fiber *next; /* in a ready list or a wait queue */
    struct kp_worker *worker;
    kp_proc *proc; /* NULL: the worker's thread itself */
    struct kp_parked parked;
    struct kp_context context;
    bool fresh; /* has not begun */

    uint64_t deadline; /* in ns of the monotonic clock; KP_NEVER: it waits for none */
    struct kp_marks marks;
    kp_error_record errors;
};

#define KP_NEVER UINT64_MAX

/* Who finds a queue's word changed, and how:
 *   QUIET   nobody waits, or the worker looks at the word itself (it is in `polled`)
 *   ARMED   who changes the word posts the queue to its worker
 *   POSTED  it has, and the worker has not taken it from its inbox yet */
enum kp_queue_state {
    KP_QUEUE_QUIET,
    KP_QUEUE_ARMED,
    KP_QUEUE_POSTED,
};

/* The fibers of one worker that wait for one word to change. The first line is the worker's alone.
 */
struct kp_wait_queue {
    alignas(KP_CACHE_LINE) struct kp_fiber *first;
    struct kp_fiber *last;
    struct kp_wait_word *word;
    struct kp_worker *worker;
    uint64_t since; /* kp_deadlock_clock when it was armed; 0: it was not */
    uint32_t old;   /* the value they all wait to see gone */
    int polled;     /* its place there, -1: none */
    alignas(KP_CACHE_LINE) _Atomic int state; /* enum kp_queue_state */
    struct kp_inbox_item item;                /* in the inbox */
    struct kp_wait_queue *gone; /* of the first of a word's: see free_word in fibers.c */
    int count;                  /* of the word's */
};

#define KP_POLLED 4

struct kp_worker {
    struct kp_fiber *first, *last; /* ready to go on, in order; unless the order is a seed's: */
    struct kp_fiber **bag;
    int in_bag;
    uint64_t random;
    uint64_t trace; /* of the order so far */
    int polls;      /* queues in `polled` */
    struct kp_wait_queue *polled[KP_POLLED];
    int countdown;              /* switches until the next look around */
    int alive;                  /* fibers that have not ended */
    int unwatched;              /* those that wait for something the watch does not know */
    bool canaries;              /* stacks are looked at when they are left */
    struct kp_fiber *came_from; /* the last to be left */
    struct kp_fiber main;       /* the thread itself */
    uint64_t soonest;           /* no deadline is before */
    kp_machine *machine;
    struct kp_fiber *fibers; /* its own, */
    int index, count;        /* so many */
    struct kp_waiter idling; /* looks before it parks, at most */
    int spins;               /* of them, with a pause, at the moment */

    alignas(KP_CACHE_LINE) kp_inbox inbox; /* queues by their items */
    _Atomic int parked;
    _Atomic bool counted; /* by the watch: its fibers stay as they are until it counts them busy */
    struct kp_wait_word bell; /* rung, by counting, where it is parked */
};

/* All of a machine's. */
struct kp_pool {
    int count;
    struct kp_worker *workers;
    struct kp_fiber *fibers;    /* by processor */
    struct kp_fiber **bag;      /* the workers' */
    struct kp_stacks stacks;    /* made with the first run, and kept */
    struct kp_wait_queue *gone; /* of words that are no more; under the machine's lock */
};

/* Of a word that fibers wait for. */
static inline struct kp_wait_queue *kp_queue_of(struct kp_wait_word *word,
                                                const struct kp_worker *worker)
{
    return &word->queues[word->queue_count > 1 ? worker->index : 0];
}

/* --- fibers_run.c --- */

/* What the carrier's row says of these. */
uint32_t kp_fiber_wait(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter);
void kp_fiber_wake(struct kp_wait_word *word);
void kp_fibers_carry(kp_machine *machine, int hand);
void kp_fibers_carry_rest(kp_proc *self);

/* --- fibers.c --- */

/* The first kind of guard that is tried; tests set it. */
extern enum kp_guard kp_first_guard;

#endif
