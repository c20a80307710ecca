/* Processors that are fibers. A machine has W threads, the workers. Each worker has its share of
 * the processors for the machine's life, a list of ready fibers, and queues of waiting fibers.
 *
 * fibers_run.c has what a fiber does on its worker: wait, wake, switch. fibers.c makes workers,
 * fibers and the words that fibers wait for, and tells the deadlock detector about waiting
 * fibers. */
#ifndef KPORT_PORTS_CARRIER_FIBERS_H
#define KPORT_PORTS_CARRIER_FIBERS_H

#include "ports/carrier/carrier.h"
#include "ports/carrier/inbox.h"
#include "ports/carrier/sanitizer.h"
#include "ports/carrier/stack.h"
#include "ports/carrier/switch.h"
#include "ports/machine_data.h"
#include "ports/self.h"

/* One processor's program under way. Only its worker uses it. */
struct kp_fiber {
    alignas(KP_CACHE_LINE) struct kp_fiber *next; /* in a ready list or a wait queue */
    struct kp_worker *worker;
    kp_proc *proc; /* NULL for the worker's own thread */
    struct kp_parked parked;
    struct kp_context context;
    bool fresh; /* the fiber has not begun */

    uint64_t deadline; /* in ns of the monotonic clock; KP_NEVER: no time limit */
    struct kp_marks marks;
    kp_error_record errors;
};

#define KP_NEVER UINT64_MAX

/* How the worker learns that a queue's word has changed:
 *   QUIET   no fiber waits, or the worker itself looks at the word (the queue is in `polled`)
 *   ARMED   the thread that changes the word will post the queue to its worker
 *   POSTED  that thread has done so, and the worker has not emptied its inbox yet */
enum kp_queue_state {
    KP_QUEUE_QUIET,
    KP_QUEUE_ARMED,
    KP_QUEUE_POSTED,
};

/* The fibers of one worker that wait for one word. Only the worker uses the first line. */
struct kp_wait_queue {
    alignas(KP_CACHE_LINE) struct kp_fiber *first;
    struct kp_fiber *last;
    struct kp_wait_word *word;
    struct kp_worker *worker;
    uint64_t since; /* kp_deadlock_clock when the queue was armed, or 0 */
    uint32_t old;   /* the value of the word that all its fibers wait to change */
    int polled;     /* the queue's index in `polled`, or -1 */
    alignas(KP_CACHE_LINE) _Atomic int state; /* enum kp_queue_state */
    struct kp_inbox_item item;                /* the queue's item in an inbox */
    /* In the first queue of a word: the next freed word's queues (free_word in fibers.c), and how
     * many queues the word has. */
    struct kp_wait_queue *gone;
    int count;
};

#define KP_POLLED 4

struct kp_worker {
    struct kp_fiber *first, *last; /* fibers that are ready, in order; unused with a seed */
    struct kp_fiber **bag;
    int in_bag;
    uint64_t random;
    uint64_t trace; /* a hash of the order of switches so far */
    int polls;      /* the number of queues in `polled` */
    struct kp_wait_queue *polled[KP_POLLED];
    int countdown; /* switches until the worker looks at its words and its inbox again */
    int alive;     /* the number of fibers that have not ended */
    int unwatched; /* the fibers that wait for a word the deadlock detector does not know */
    bool canaries; /* a fiber's canaries are checked when it waits or ends */
    struct kp_fiber *came_from; /* the fiber that the worker has left last */
    struct kp_fiber main;       /* the worker's own thread */
    uint64_t soonest;           /* no fiber has an earlier deadline */
    kp_machine *machine;
    struct kp_fiber *fibers; /* the worker's own fibers */
    int index, count;        /* the worker's number, and how many fibers it has */
    struct kp_waiter idling; /* the most looks before the worker parks */
    int spins;               /* how many looks with a pause it takes at present */

    alignas(KP_CACHE_LINE) kp_inbox inbox; /* queues that were posted to this worker */
    _Atomic int parked;
    _Atomic bool counted;     /* the deadlock detector counts its fibers as waiting */
    struct kp_wait_word bell; /* rung by counting it up, if the worker is parked */
};

/* All workers and fibers of a machine. */
struct kp_pool {
    int count;
    struct kp_worker *workers;
    struct kp_fiber *fibers;    /* indexed by processor */
    struct kp_fiber **bag;      /* the memory of the workers' bags */
    struct kp_stacks stacks;    /* made for the first run, and kept */
    struct kp_wait_queue *gone; /* queues of freed words; under the machine's lock */
};

/* Returns the queue in which a worker's fibers wait for the word. */
static inline struct kp_wait_queue *kp_queue_of(struct kp_wait_word *word,
                                                const struct kp_worker *worker)
{
    return &word->queues[word->queue_count > 1 ? worker->index : 0];
}

/* --- fibers_run.c --- */

/* The functions of the carrier's row. */
uint32_t kp_fiber_wait(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter);
void kp_fiber_wake(struct kp_wait_word *word);
void kp_fibers_carry(kp_machine *machine, int hand);
void kp_fibers_carry_rest(kp_proc *self);

/* --- fibers.c --- */

/* The first kind of guard to try; tests set it. */
extern enum kp_guard kp_first_guard;

#endif
