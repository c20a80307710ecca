/* What a fiber does on its worker: it waits, wakes other fibers, and leaves the thread to the next
 * fiber.
 *
 * A word that fibers wait for has a queue for every worker. A worker's fibers wait in its own
 * queue, in plain memory that no other thread touches. If a fiber of the same worker changes the
 * word, they are ready at once, by one splice. If another thread changes it, the worker learns of
 * it in one of two ways. The worker itself looks at the words of a few queues (`polled`), whenever
 * no fiber is ready and every 64 switches. Or the queue is armed, and the thread that changes the
 * word posts the queue to the worker's inbox: one push for each worker, however many fibers wait.
 *
 * No wake is lost. The word's `sleepers` counts its armed queues. Arming adds 1 to `sleepers`, sets
 * the state to ARMED, and looks at the word again. A changer changes the word, then looks at
 * `sleepers`. If it is not 0, the changer tries ARMED -> POSTED for each queue. Where that
 * succeeds, it subtracts 1 from `sleepers` and pushes the queue. All these steps but the
 * subtraction are sequentially consistent. So if the last look of arming finds the old value, the
 * change comes after the look, hence after `sleepers + 1` and ARMED. Then the changer sees both, or
 * sees that another thread has posted the queue.
 *
 * A queue is counted before it is ARMED, and the thread that takes ARMED away subtracts after that.
 * So `sleepers` is never less than the number of armed queues, and no thread subtracts what was
 * added for another queue. If ARMED came first, a changer could post the queue and subtract before
 * the queue is counted. The next changer would then find no sleepers, though another queue is
 * armed.
 *
 * A worker parks in the same way. It arms all queues that it polled, sets `parked`, and looks at
 * its inbox again. A changer pushes, then looks at `parked` and rings the bell. The bell is a word
 * that is counted up, so a ring before the sleep ends the sleep. */
#include "ports/carrier/fibers.h"

#include "ports/mix.h"
#include "ports/test_point.h"
#include "ports/ticks.h"
#include "ports/without.h"

#include <sched.h>

#define SWITCHES_PER_LOOK 64
#define LEAST_SPINS       32
#define FEW_YIELDS        2
#define STACK_LINES       6

/* --- What is ready --- */

static inline bool any_ready(const struct kp_worker *worker)
{
    return worker->first || worker->in_bag > 0;
}

/* Makes a list of fibers ready, behind those that are ready already. */
static void make_ready(struct kp_worker *worker, struct kp_fiber *first, struct kp_fiber *last)
{
    last->next = NULL;
    for (; worker->bag && first; first = first->next)
        worker->bag[worker->in_bag++] = first;
    if (worker->bag)
        return;
    if (worker->first)
        worker->last->next = first;
    else
        worker->first = first;
    worker->last = last;
}

/* With thousands of fibers, a fiber has fallen out of the cache by its next turn. This fetches the
 * stack of the fiber after the next, and the kp_fiber of its successor, while the next one runs. */
static inline void look_ahead(const struct kp_fiber *soon)
{
#if KP_SWITCH == KP_SWITCH_BOOST
    if (!KP_HAS(FIBER_AHEAD) || !soon)
        return;
    __builtin_prefetch(soon->next);
    uintptr_t stack = (uintptr_t)soon->context.at; /* 0 before the fiber's first turn */
    for (int line = 0; line < STACK_LINES; line++)
        __builtin_prefetch((const void *)(stack + (uintptr_t)line * KP_CACHE_LINE));
#else
    (void)soon;
#endif
}

/* Returns the first ready fiber, or a ready fiber that the seed chooses. NULL if none is ready. */
static inline struct kp_fiber *take_ready(struct kp_worker *worker)
{
    struct kp_fiber *fiber = worker->first;
    if (fiber) {
        worker->first = fiber->next;
        look_ahead(worker->first);
    } else if (worker->in_bag > 0) {
        int i = (int)(kp_random_from(&worker->random) % (uint64_t)worker->in_bag);
        fiber = worker->bag[i];
        worker->bag[i] = worker->bag[--worker->in_bag];
    }
    return fiber;
}

/* --- Queues --- */

static void stop_polling(struct kp_worker *worker, struct kp_wait_queue *queue)
{
    struct kp_wait_queue *last = worker->polled[--worker->polls];
    worker->polled[queue->polled] = last;
    last->polled = queue->polled;
    queue->polled = -1;
}

/* Closes a queue in which no fiber waits any more. A queue that was posted stays in the inbox. */
static void close_queue(struct kp_worker *worker, struct kp_wait_queue *queue)
{
    int armed = KP_QUEUE_ARMED;
    queue->first = NULL;
    if (queue->polled >= 0)
        stop_polling(worker, queue);
    else if (atomic_compare_exchange_strong_explicit(&queue->state, &armed, KP_QUEUE_QUIET,
                                                     KP_ORDER_POST, KP_ORDER_POST))
        atomic_fetch_sub_explicit(&queue->word->sleepers, 1, KP_ORDER_AWAKE);
}

static void release(struct kp_worker *worker, struct kp_wait_queue *queue)
{
    struct kp_fiber *first = queue->first;
    close_queue(worker, queue);
    make_ready(worker, first, queue->last);
}

static bool has_changed(struct kp_wait_queue *queue, memory_order order)
{
    return atomic_load_explicit(&queue->word->value, order) != queue->old;
}

/* The waiter's half of the handshake (partner: kp_fiber_wake). */
static void arm(struct kp_worker *worker, struct kp_wait_queue *queue)
{
    if (atomic_load_explicit(&queue->state, KP_ORDER_POSTED) == KP_QUEUE_POSTED)
        return; /* the worker empties its inbox before it sleeps, and then looks at this queue */
    queue->since = kp_deadlock_clock();
    /* In this order. Swapped: queues -DARMED_FIRST */
    atomic_fetch_add_explicit(&queue->word->sleepers, 1, KP_ORDER_SLEEP);
    KP_TEST_POINT(arming, queue);
    atomic_store_explicit(&queue->state, KP_QUEUE_ARMED, KP_ORDER_ARM);
    if (has_changed(queue, KP_ORDER_RECHECK))
        release(worker, queue);
}

/* Polls or arms a queue with waiters that is neither polled nor armed. */
static void look_after(struct kp_worker *worker, struct kp_wait_queue *queue)
{
    if (worker->polls == KP_POLLED) {
        arm(worker, queue);
        return;
    }
    queue->polled = worker->polls;
    worker->polled[worker->polls++] = queue;
}

/* Posts a queue to its worker, and wakes the worker if it is parked. */
static void post(struct kp_worker *worker, struct kp_wait_queue *queue)
{
    kp_inbox_put(&worker->inbox, &queue->item);
    if (atomic_load_explicit(&worker->parked, KP_ORDER_LOOK)) {
        atomic_fetch_add_explicit(&worker->bell.value, 1, KP_ORDER_PUBLISH);
        kp_wake_all(&worker->bell);
    }
}

/* The waker's half of the handshake (partner: arm). Fibers of the caller's worker are ready at
 * once. Armed queues are posted to their workers. Other workers look at the word themselves. */
void kp_fiber_wake(struct kp_wait_word *word)
{
    struct kp_worker *own = kp_self.fiber ? kp_self.fiber->worker : NULL;
    if (own) {
        struct kp_wait_queue *queue = kp_queue_of(word, own);
        if (queue->worker == own && queue->first)
            release(own, queue);
    }
    if (atomic_load_explicit(&word->sleepers, KP_ORDER_LOOK) == 0)
        return;
    for (int i = 0; i < word->queue_count; i++) {
        struct kp_wait_queue *queue = &word->queues[i];
        int armed = KP_QUEUE_ARMED;
        KP_TEST_POINT(waking, queue);
        if (!atomic_compare_exchange_strong_explicit(&queue->state, &armed, KP_QUEUE_POSTED,
                                                     KP_ORDER_POST, KP_ORDER_POST))
            continue;
        atomic_fetch_sub_explicit(&word->sleepers, 1, KP_ORDER_AWAKE);
        post(queue->worker, queue);
    }
}

static void empty_inbox(struct kp_worker *worker)
{
    struct kp_inbox_item *item, *next;
    if (!kp_inbox_has_any(&worker->inbox))
        return;
    for (item = kp_inbox_take(&worker->inbox); item; item = next) {
        struct kp_wait_queue *queue =
            (struct kp_wait_queue *)((char *)item - offsetof(struct kp_wait_queue, item));
        bool waited_in = queue->first;
        next = item->next;
        /* From here on the queue may be posted again. If it has no waiters, it may be freed. */
        atomic_store_explicit(&queue->state, KP_QUEUE_QUIET, KP_ORDER_QUIET);
        if (!waited_in)
            continue;
        if (has_changed(queue, KP_ORDER_RECHECK))
            release(worker, queue);
        else if (queue->polled < 0)
            look_after(worker, queue);
    }
}

static void poll_words(struct kp_worker *worker)
{
    for (int i = worker->polls - 1; i >= 0; i--) {
        if (has_changed(worker->polled[i], KP_ORDER_OBSERVE))
            release(worker, worker->polled[i]);
    }
}

/* --- Time limits --- */

/* Takes a fiber out of the queue that it waits in. */
static void leave_queue(struct kp_worker *worker, struct kp_fiber *fiber)
{
    struct kp_wait_word *word = atomic_load_explicit(&fiber->parked.on, KP_ORDER_NOTE);
    struct kp_wait_queue *queue = kp_queue_of(word, worker);
    struct kp_fiber *before = NULL, *at = queue->first;
    for (; at && at != fiber; at = at->next)
        before = at;
    if (!at)
        return; /* the fiber is ready already */
    *(before ? &before->next : &queue->first) = fiber->next;
    if (queue->last == fiber)
        queue->last = before;
    if (!queue->first)
        close_queue(worker, queue);
    make_ready(worker, fiber, fiber);
}

/* Makes the fibers ready whose time limit is over. They find the word unchanged. Time limits are
 * much longer than most waits, so this seldom looks at all fibers. */
static void end_waits(struct kp_worker *worker)
{
    uint64_t now = worker->soonest != KP_NEVER ? kp_nanoseconds() : 0;
    if (now < worker->soonest)
        return;
    worker->soonest = KP_NEVER;
    for (int i = 0; i < worker->count; i++) {
        struct kp_fiber *fiber = &worker->fibers[i];
        if (fiber->deadline <= now)
            leave_queue(worker, fiber);
        else if (fiber->deadline < worker->soonest)
            worker->soonest = fiber->deadline;
    }
}

/* --- Nothing is ready --- */

static bool look_around(struct kp_worker *worker)
{
    empty_inbox(worker);
    poll_words(worker);
    return any_ready(worker);
}

static void sleep_until_rung(struct kp_worker *worker)
{
    struct kp_waiter waiter = {.yields = 0};
    uint32_t seen = atomic_load_explicit(&worker->bell.value, KP_ORDER_OBSERVE);
    if (worker->soonest != KP_NEVER) {
        uint64_t now = kp_nanoseconds(), then = worker->soonest;
        if (then <= now)
            return;
        waiter.limit_ms = (unsigned)((then - now) / 1000000u + 1);
    }
    atomic_store_explicit(&worker->parked, 1, KP_ORDER_SLEEP);
    if (!kp_inbox_has_any(&worker->inbox))
        kp_wait_change(&worker->bell, seen, &waiter);
    atomic_store_explicit(&worker->parked, 0, KP_ORDER_AWAKE);
}

/* Parks the worker, whose fibers all wait. It counts them all at once for the deadlock detector. If
 * the detector then finds a deadlock, the fibers are ready at once. */
static void park(struct kp_worker *worker)
{
    do {
        while (worker->polls > 0) {
            struct kp_wait_queue *queue = worker->polled[worker->polls - 1];
            stop_polling(worker, queue);
            arm(worker, queue);
        }
        empty_inbox(worker); /* which may poll a queue again */
    } while (worker->polls > 0);
    if (any_ready(worker))
        return;
    int waiting = worker->alive - worker->unwatched;
    atomic_store_explicit(&worker->counted, true, KP_ORDER_SHOW);
    kp_deadlock_many_parked(worker->machine, waiting);
    if (!any_ready(worker))
        sleep_until_rung(worker);
    atomic_store_explicit(&worker->counted, false, KP_ORDER_NOTE);
    kp_deadlock_many_unparked(worker->machine, waiting);
    empty_inbox(worker);
    end_waits(worker);
}

/* Halves the number of looks after spinning in vain, because another worker may share this core and
 * the system may leave both there. Doubles it after spinning with success. */
static void learn(struct kp_worker *worker, bool in_vain)
{
    int most = worker->idling.spins, least = most < LEAST_SPINS ? most : LEAST_SPINS;
    int spins = in_vain ? worker->spins / 2 : 2 * worker->spins;
    if (KP_HAS(FIBER_SPINS) || !in_vain)
        worker->spins = spins > most ? most : spins < least ? least : spins;
}

/* Spins, then yields, then parks. Another worker on the same core has had its turn when the first
 * yields return. If more yields are needed, the awaited fiber runs on another core, and spinning
 * would have seen its change sooner. */
static void idle(struct kp_worker *worker)
{
    for (int i = 0; i < worker->spins; i++) {
        if (look_around(worker)) {
            learn(worker, false);
            return;
        }
        kp_pause();
    }
    struct kp_yielding so_far = {0};
    while (kp_yields_on(&worker->idling, &so_far)) {
        if (look_around(worker)) {
            learn(worker, so_far.done <= FEW_YIELDS + 1);
            return;
        }
        sched_yield();
    }
    learn(worker, true);
    park(worker);
}

static __attribute__((noinline)) struct kp_fiber *look_for_one(struct kp_worker *worker)
{
    struct kp_fiber *fiber;
    if (worker->countdown <= 0) {
        worker->countdown = SWITCHES_PER_LOOK;
        look_around(worker);
        end_waits(worker);
    }
    while (!(fiber = take_ready(worker)))
        idle(worker);
    return fiber;
}

static inline struct kp_fiber *next_ready(struct kp_worker *worker)
{
    return --worker->countdown > 0 && worker->first ? take_ready(worker) : look_for_one(worker);
}

/* --- Switching --- */

static void begin(void);

/* Switches from one flow of the worker to another. Exchanges the data in kp_self that belong to the
 * flow. Returns when a flow switches back to `from`, or never if `back` is false. */
static void go_on(struct kp_worker *worker, struct kp_fiber *from, struct kp_fiber *to, bool back)
{
    if (to == from)
        return;
    if (worker->bag && to->proc)
        worker->trace = kp_mix(worker->trace + (uint64_t)to->proc->number + 1);
    if (to->fresh) {
        size_t bytes;
        char *top = kp_stack_top(&worker->machine->pool->stacks, to->proc->number, &bytes);
        to->fresh = false;
        kp_marks_make(&to->marks, top, bytes);
        kp_context_make(&to->context, top, bytes, begin);
    }
    kp_self.fiber = to;
    kp_self.carried = to->proc;
    kp_self.errors = to->proc ? &to->errors : NULL;
    worker->came_from = from;
    kp_marks_leave(back ? &from->marks : NULL, &to->marks);
    kp_switch(&from->context, &to->context);
    kp_marks_arrive(&from->marks, &worker->came_from->marks);
}

/* Ends this fiber. The worker's other fibers go on. */
static _Noreturn void end_here(struct kp_fiber *self)
{
    struct kp_worker *worker = self->worker;
    worker->alive--;
    go_on(worker, self, worker->alive > 0 ? next_ready(worker) : &worker->main, false);
    __builtin_unreachable();
}

/* Ends a fiber that has overflowed its stack, because the stack may hold anything. */
static inline void look_at_stack(struct kp_fiber *self)
{
    const struct kp_worker *worker = self->worker;
    if (!worker->canaries || kp_stack_intact(&worker->machine->pool->stacks, self->proc->number))
        return;
    kp_proc_overflowed(self->proc);
    end_here(self);
}

/* The first function on a new stack. */
static void begin(void)
{
    struct kp_fiber *self = kp_self.fiber;
    kp_machine *machine = self->worker->machine;
    kp_marks_arrive(&self->marks, &self->worker->came_from->marks);
    int status = machine->program(self->proc, machine->argument);
    if (machine->forks != kp_fork_count())
        go_on(self->worker, self, &self->worker->main, false); /* the child's thread ends there */
    look_at_stack(self);
    kp_proc_returned(self->proc, status);
    end_here(self);
}

uint32_t kp_fiber_wait(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter)
{
    struct kp_fiber *self = kp_self.fiber;
    struct kp_worker *worker = self->worker;
    struct kp_wait_queue *queue = kp_queue_of(word, worker);
    uint32_t value = atomic_load_explicit(&word->value, KP_ORDER_OBSERVE);
    if (value != old)
        return value;
    look_at_stack(self);
    if (queue->first && queue->old != old)
        release(worker, queue); /* the fibers in the queue waited for an earlier change */
    bool opens = !queue->first;
    self->next = NULL;
    kp_parked_show(&self->parked, waiter->watched, word, old);
    if (opens) {
        queue->since = 0;
        queue->old = old;
    }
    *(opens ? &queue->first : &queue->last->next) = self;
    queue->last = self;
    if (opens && queue->polled < 0)
        look_after(worker, queue);
    if (!waiter->watched)
        worker->unwatched++;
    if (waiter->limit_ms > 0) {
        self->deadline = kp_nanoseconds() + (uint64_t)waiter->limit_ms * 1000000u;
        worker->soonest = self->deadline < worker->soonest ? self->deadline : worker->soonest;
    }
    go_on(worker, self, next_ready(worker), true);
    /* The word may be freed with its group as soon as this fiber goes on. */
    kp_parked_hide(&self->parked);
    self->deadline = KP_NEVER;
    if (!waiter->watched)
        worker->unwatched--;
    return atomic_load_explicit(&word->value, KP_ORDER_OBSERVE);
}

void kp_self_point(void)
{
    struct kp_fiber *self = kp_self.fiber;
    struct kp_worker *worker = self->worker;
    if (kp_random_from(&worker->random) & 1)
        return;
    make_ready(worker, self, self);
    go_on(worker, self, next_ready(worker), true);
}

/* --- A run --- */

/* Makes all of the worker's fibers ready, in order, as before any run. */
static void line_up(struct kp_worker *worker)
{
    uint64_t seed = worker->machine->config.seed;
    worker->first = NULL;
    worker->in_bag = worker->polls = worker->countdown = worker->unwatched = 0;
    worker->soonest = KP_NEVER;
    worker->alive = worker->count;
    worker->canaries = worker->machine->pool->stacks.guard == KP_GUARD_CANARIES;
    /* Mixed twice, because neighbouring seeds must not give neighbouring places of one sequence. */
    worker->random = kp_mix(kp_mix(seed + 1) + (uint64_t)worker->index);
    worker->trace = seed != 0;
    for (int i = 0; i < worker->count; i++) {
        struct kp_fiber *fiber = &worker->fibers[i];
        fiber->fresh = true;
        fiber->deadline = KP_NEVER;
        fiber->errors.status = KP_OK;
        fiber->errors.sentence[0] = '\0';
        fiber->errors.processor = fiber->errors.round = fiber->errors.port = -1;
        fiber->errors.peer = fiber->errors.line = -1;
        make_ready(worker, fiber, fiber);
    }
}

/* Lets the fibers run, from the thread's own stack, until all have ended. */
static void run(struct kp_worker *worker)
{
    kp_self.points = worker->bag != NULL;
    kp_marks_of_thread(&worker->main.marks);
    while (worker->alive > 0 && worker->machine->forks == kp_fork_count())
        go_on(worker, &worker->main, next_ready(worker), true);
    kp_self.fiber = NULL;
    kp_self.points = false;
    for (int i = 0; i < worker->count; i++)
        kp_marks_free(&worker->fibers[i].marks);
}

void kp_fibers_carry(kp_machine *machine, int hand)
{
    line_up(&machine->pool->workers[hand]);
    run(&machine->pool->workers[hand]);
}

/* The stack of the fiber that has ended stays as it is. */
void kp_fibers_carry_rest(kp_proc *self)
{
    struct kp_worker *worker = self->machine->pool->fibers[self->number].worker;
    worker->alive--;
    run(worker);
}
