/* The actions of a fiber on its worker: it waits, wakes other fibers, and leaves the thread to the
 * next fiber.
 *
 * A word that fibers of many workers wait for has one queue for each worker. The fibers of a worker
 * wait in the worker's queue, which is plain memory that no other thread touches. If a fiber
 * changes the word, all fibers in the queue of its own worker become ready at once, because their
 * list is appended to the ready list. If another thread changes the word, the worker learns of the
 * change in one of two ways. The first way is polling: whenever no fiber is ready, and every 64
 * switches, the worker reads the words of the few queues in `polled`. The second way is arming: the
 * worker marks the queue as ARMED, and the thread that changes the word posts the queue to the
 * worker's inbox. Posting takes one push for each worker, for any number of waiting fibers.
 *
 * No wake is lost. The word's `sleepers` counts its armed queues. A worker that arms a queue adds 1
 * to `sleepers`, sets the queue's state to ARMED, and reads the word again. A thread that changes
 * the word then reads `sleepers`. If `sleepers` is not 0, the thread tries to change each queue's
 * state from ARMED to POSTED. If that succeeds for a queue, the thread subtracts 1 from `sleepers`
 * and pushes the queue. All these steps except the subtraction are sequentially consistent. Suppose
 * that the worker's last read still finds the old value. Then the change comes after this read, and
 * so after `sleepers + 1` and after ARMED. So the changing thread finds `sleepers` above 0 and the
 * queue ARMED, or finds that another thread has posted the queue.
 *
 * The order of these steps keeps `sleepers` from falling below the number of armed queues. A queue
 * is counted before it is ARMED, and the thread that takes ARMED away subtracts afterwards. So no
 * thread subtracts what was added for another queue. If ARMED came first, a thread could post the
 * queue and subtract before the queue is counted. The next thread that changes the word could then
 * find `sleepers` = 0, although another queue is armed.
 *
 * A worker parks in a similar way. It arms all queues that it polled, sets `parked`, and looks at
 * its inbox again. A thread that posts a queue pushes it, then reads `parked`, and rings the bell
 * if the worker is parked. The bell is a word, and a ring adds 1 to it. So a ring that comes before
 * the worker sleeps also ends the sleep. */
#include "ports/carrier/ready.h"

#include "ports/mix.h"
#include "ports/test_point.h"
#include "ports/ticks.h"
#include "ports/without.h"

#define SWITCHES_PER_LOOK 64
#define LEAST_SPINS       32
#define FEW_YIELDS        2

/* --- Queues --- */

static void stop_polling(struct kp_worker *worker, struct kp_wait_queue *queue)
{
    struct kp_wait_queue *last = worker->polled[--worker->polls];
    worker->polled[queue->polled] = last;
    last->polled = queue->polled;
    queue->polled = -1;
}

/* Closes a queue in which no fiber waits any more. A posted queue stays in the inbox. */
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

/* Arms the queue. This is the waiter's half of the handshake (partner: kp_fiber_wake). */
static void arm(struct kp_worker *worker, struct kp_wait_queue *queue)
{
    /* seldom taken: a waker has posted it already */
    if (atomic_load_explicit(&queue->state, KP_ORDER_POSTED) == KP_QUEUE_POSTED)
        return; /* before it sleeps, the worker empties its inbox and handles this queue */
    queue->since = kp_deadlock_clock();
    /* The queue is counted before it is armed. Swapped: queues -DARMED_FIRST */
    atomic_fetch_add_explicit(&queue->word->sleepers, 1, KP_ORDER_SLEEP);
    KP_TEST_POINT(arming, queue);
    atomic_store_explicit(&queue->state, KP_QUEUE_ARMED, KP_ORDER_ARM);
    if (has_changed(queue, KP_ORDER_RECHECK))
        release(worker, queue);
}

/* Polls the queue, or arms it if the worker polls KP_POLLED queues already. Fibers wait in the
 * queue, and it is neither polled nor armed yet. */
static void look_after(struct kp_worker *worker, struct kp_wait_queue *queue)
{
    if (worker->polls == KP_POLLED) {
        arm(worker, queue);
        return;
    }
    queue->polled = worker->polls;
    worker->polled[worker->polls++] = queue;
}

/* Puts a queue into its worker's inbox, and wakes the worker if the worker is parked. */
static void post(struct kp_worker *worker, struct kp_wait_queue *queue)
{
    kp_inbox_put(&worker->inbox, &queue->item);
    if (atomic_load_explicit(&worker->parked, KP_ORDER_LOOK)) {
        atomic_fetch_add_explicit(&worker->bell.value, 1, KP_ORDER_PUBLISH);
        kp_wake_all(&worker->bell);
    }
}

/* Wakes the fibers that wait for the word. This is the waker's half of the handshake (partner:
 * arm). The waiting fibers of the caller's own worker become ready at once. Armed queues are posted
 * to their workers. A worker that polls the word reads the change itself. */
void kp_fiber_wake(struct kp_wait_word *word)
{
    /* untaken: only fibers wake fibers */
    struct kp_worker *own = kp_self.fiber ? kp_self.fiber->worker : NULL;
    if (own) { /* untaken: only fibers wake fibers */
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
        /* From here on another thread may post the queue again. If no fiber waits in the queue,
         * another thread may free it. */
        atomic_store_explicit(&queue->state, KP_QUEUE_QUIET, KP_ORDER_QUIET);
        if (!waited_in) /* seldom taken: no fiber waits there any more */
            continue;
        if (has_changed(queue, KP_ORDER_RECHECK)) /* seldom taken: fibers wait for a later change */
            release(worker, queue);
        else if (queue->polled < 0) /* seldom taken: fibers wait for a later change */
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

/* Makes a fiber ready that sleeps, or takes it out of the queue in which it waits. */
static void leave_queue(struct kp_worker *worker, struct kp_fiber *fiber)
{
    if (!kp_is_parked(&fiber->parked)) {
        fiber->deadline = KP_NEVER;
        make_ready(worker, fiber, fiber);
        return;
    }
    struct kp_wait_word *word = atomic_load_explicit(&fiber->parked.on, KP_ORDER_NOTE);
    struct kp_wait_queue *queue = kp_queue_of(word, worker);
    struct kp_fiber *before = NULL, *at = queue->first;
    for (; at && at != fiber; at = at->next) /* seldom taken: two fibers wait in the queue */
        before = at;
    if (!at)
        return; /* the fiber is ready already */
    /* seldom taken: two fibers wait in the queue */
    *(before ? &before->next : &queue->first) = fiber->next;
    if (queue->last == fiber)
        queue->last = before;
    if (!queue->first)
        close_queue(worker, queue);
    make_ready(worker, fiber, fiber);
}

static void limit(struct kp_fiber *self, uint64_t deadline)
{
    struct kp_worker *worker = self->worker;
    self->deadline = deadline;
    worker->soonest = deadline < worker->soonest ? deadline : worker->soonest;
}

/* Makes all fibers ready whose wait has reached its time limit, or whose sleep has ended. A fiber
 * that has waited finds its word unchanged. */
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

/* --- A worker without a ready fiber --- */

static bool look_around(struct kp_worker *worker)
{
    empty_inbox(worker);
    poll_words(worker);
    end_waits(worker);
    return any_ready(worker);
}

static void sleep_until_rung(struct kp_worker *worker)
{
    struct kp_waiter waiter = {.yields = 0};
    uint32_t seen = atomic_load_explicit(&worker->bell.value, KP_ORDER_OBSERVE);
    if (worker->soonest != KP_NEVER) {
        uint64_t now = kp_nanoseconds(), then = worker->soonest;
        if (then <= now) /* seldom taken: the limit has just passed */
            return;
        waiter.limit_ms = (unsigned)((then - now) / 1000000u);
        waiter.limit_more_ns = (unsigned)((then - now) % 1000000u);
    }
    atomic_store_explicit(&worker->parked, 1, KP_ORDER_SLEEP);
    if (!kp_inbox_has_any(&worker->inbox))
        kp_wait_change(&worker->bell, seen, &waiter);
    atomic_store_explicit(&worker->parked, 0, KP_ORDER_AWAKE);
}

/* Parks a worker whose fibers all wait. The worker reports them together to the deadlock detector.
 * If the detector then finds a deadlock, it makes the fibers ready at once, so the worker does not
 * sleep. */
static void park(struct kp_worker *worker)
{
    do {
        while (worker->polls > 0) {
            struct kp_wait_queue *queue = worker->polled[worker->polls - 1];
            stop_polling(worker, queue);
            arm(worker, queue);
        }
        empty_inbox(worker);
    } while (worker->polls > 0); /* seldom taken: empty_inbox may poll a queue again */
    if (any_ready(worker))
        return;
    int waiting = worker->alive - worker->uncounted;
    atomic_store_explicit(&worker->counted, true, KP_ORDER_SHOW);
    kp_deadlock_many_parked(worker->machine, waiting);
    if (!any_ready(worker))
        sleep_until_rung(worker);
    atomic_store_explicit(&worker->counted, false, KP_ORDER_NOTE);
    kp_deadlock_many_unparked(worker->machine, waiting);
    empty_inbox(worker);
    end_waits(worker);
}

/* Adapts the number of looks with a pause to the success of the last looks. Halves it after looks
 * in vain, because another worker may share this core, and the system may leave both workers there.
 * Doubles it after looks that found a ready fiber. */
static void learn(struct kp_worker *worker, bool in_vain)
{
    int most = worker->idling.spins, least = most < LEAST_SPINS ? most : LEAST_SPINS;
    int spins = in_vain ? worker->spins / 2 : 2 * worker->spins;
    if (KP_HAS(FIBER_SPINS) || !in_vain)
        worker->spins = spins > most ? most : spins < least ? least : spins;
}

/* Looks once: for what the caller's fiber waits for, if that is given, and else for ready fibers.
 */
static inline bool sees(struct kp_worker *worker, kp_ready_now *ready, const void *context,
                        int look)
{
    if (ready && ready(context))
        return true;
    return (!ready || look % KP_LOOKS_BETWEEN == 0) && look_around(worker);
}

/* Spins, then yields, until `ready` returns true (NULL: never) or a fiber is ready. If another
 * worker runs on the same core, the first few yields let it run. If more yields are needed, the
 * awaited fiber runs on another core. In this case spinning would have found the change sooner, so
 * the worker spins longer the next time. Returns false if nothing has come. */
static inline bool look_long(struct kp_worker *worker, kp_ready_now *ready, const void *context)
{
    for (int i = 1; i <= worker->spins; i++) {
        if (sees(worker, ready, context, i)) {
            learn(worker, false);
            worker->crowded = 0;
            return true;
        }
        kp_pause();
    }
    struct kp_yielding so_far = {0};
    while (kp_yields_on(&worker->idling, &so_far)) {
        if (sees(worker, ready, context, 0)) {
            const bool few = so_far.done <= FEW_YIELDS + 1;
            learn(worker, few);
            if (few) /* seldom taken: the system decides where threads run */
                kp_worker_part(worker);
            return true;
        }
        if (!kp_yield())
            break;
    }
    learn(worker, true);
    return false;
}

static __attribute__((noinline)) struct kp_fiber *look_for_one(struct kp_worker *worker)
{
    struct kp_fiber *fiber;
    if (worker->countdown <= 0) {
        worker->countdown = SWITCHES_PER_LOOK;
        look_around(worker);
    }
    while (!(fiber = take_ready(worker))) {
        if (!look_long(worker, NULL, NULL))
            park(worker);
    }
    return fiber;
}

static inline struct kp_fiber *next_ready(struct kp_worker *worker)
{
    return --worker->countdown > 0 && worker->first ? take_ready(worker) : look_for_one(worker);
}

/* --- Switching --- */

static void begin(void);

/* Switches the worker from the flow `from` to the flow `to`, and sets the data in kp_self that
 * belong to `to`. Returns when a flow switches back to `from`. Never returns if `back` is false. */
static void go_on(struct kp_worker *worker, struct kp_fiber *from, struct kp_fiber *to, bool back)
{
    if (to == from)
        return;
    if (worker->bag && to->proc)
        worker->trace = kp_mix(worker->trace + (uint64_t)to->proc->number + 1);
    if (to->fresh) {
        size_t bytes;
        char *top = kp_stack_top(&worker->machine->pool->stacks, kp_fiber_number(to), &bytes);
        to->fresh = false;
        kp_marks_make(&to->marks, top, bytes);
        kp_context_make(&to->context, top, bytes, begin);
    }
    kp_self.fiber = to;
    kp_self.carried = to->proc;
    kp_self.errors = to->proc ? &to->errors : NULL;
    worker->came_from = from;
    if (worker->watched) /* seldom taken: only with a sanitizer */
        kp_marks_leave(back ? &from->marks : NULL, &to->marks);
    kp_switch(&from->context, &to->context);
    if (worker->watched) /* seldom taken: only with a sanitizer */
        kp_marks_arrive(&from->marks, &worker->came_from->marks);
}

/* Ends this fiber. The worker goes on with its other fibers. */
static _Noreturn void end_here(struct kp_fiber *self)
{
    struct kp_worker *worker = self->worker;
    worker->alive--;
    go_on(worker, self, worker->alive > 0 ? next_ready(worker) : &worker->main, false);
    __builtin_unreachable();
}

/* Checks the canaries of this fiber's stack. If the fiber has overflowed its stack, this ends the
 * fiber, because the stack's contents are unreliable. */
static inline void look_at_stack(struct kp_fiber *self)
{
    const struct kp_worker *worker = self->worker;
    if (!worker->canaries || kp_stack_intact(&worker->machine->pool->stacks, kp_fiber_number(self)))
        return;
    kp_proc_overflowed(self->proc);
    end_here(self);
}

/* The first function that a fiber calls on a new stack. */
static void begin(void)
{
    struct kp_fiber *self = kp_self.fiber;
    kp_machine *machine = self->worker->machine;
    kp_marks_arrive(&self->marks, &self->worker->came_from->marks);
    int status = machine->program(self->proc, machine->argument);
    if (machine->forks != kp_fork_count())
        /* In the child of a fork, the worker's own flow ends the thread. */
        go_on(self->worker, self, &self->worker->main, false);
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
        /* The fibers in the queue waited for an earlier change, which has happened. */
        release(worker, queue);
    bool opens = !queue->first;
    self->next = NULL;
    kp_parked_show(&self->parked, waiter->waiting_member, word, old);
    if (opens) {
        queue->since = 0;
        queue->old = old;
    }
    *(opens ? &queue->first : &queue->last->next) = self;
    queue->last = self;
    if (opens && queue->polled < 0) /* untaken: no empty queue is polled */
        look_after(worker, queue);
    if (!waiter->waiting_member) /* seldom taken: only the wait for readers */
        worker->uncounted++;
    if (waiter->limit_ms > 0)
        limit(self, kp_nanoseconds() + (uint64_t)waiter->limit_ms * 1000000u);
    go_on(worker, self, next_ready(worker), true);
    /* This hides the word from the deadlock detector, because the word may be freed with its group
     * as soon as this fiber's program goes on. */
    kp_parked_hide(&self->parked);
    self->deadline = KP_NEVER;
    if (!waiter->waiting_member) /* seldom taken: only the wait for readers */
        worker->uncounted--;
    return atomic_load_explicit(&word->value, KP_ORDER_OBSERVE);
}

void kp_fiber_yield(kp_proc *self)
{
    struct kp_fiber *fiber = kp_self.fiber;
    (void)self;
    make_ready(fiber->worker, fiber, fiber);
    go_on(fiber->worker, fiber, next_ready(fiber->worker), true);
}

uint64_t kp_fiber_sleep(uint64_t nanoseconds)
{
    struct kp_fiber *self = kp_self.fiber;
    struct kp_worker *worker = self->worker;
    const uint64_t end = kp_nanoseconds() + nanoseconds;
    look_at_stack(self);
    if (worker->bag) {
        kp_fiber_yield(self->proc);
        const uint64_t now = kp_nanoseconds();
        return now < end ? end - now : 0;
    }
    limit(self, end);
    worker->uncounted++;
    go_on(worker, self, next_ready(worker), true);
    worker->uncounted--;
    return 0;
}

int kp_fiber_looks(const kp_proc *self)
{
    const struct kp_worker *worker = kp_self.fiber->worker;
    /* A seed's order must not depend on the time that a message takes. */
    return self->machine->pool->count > 1 && !worker->bag ? worker->spins : 0;
}

bool kp_fiber_looks_for(const kp_proc *self, kp_ready_now *ready, const void *context)
{
    return kp_fiber_looks(self) > 0 && look_long(kp_self.fiber->worker, ready, context) &&
           ready(context);
}

bool kp_fiber_looks_on(const kp_proc *self)
{
    (void)self;
    return !look_around(kp_self.fiber->worker);
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

/* Sets the worker up for a run: all its fibers are ready, in order. */
static void line_up(struct kp_worker *worker)
{
    uint64_t seed = worker->machine->config.seed;
    worker->first = NULL;
    worker->in_bag = worker->polls = worker->countdown = worker->uncounted = 0;
    worker->soonest = KP_NEVER;
    worker->crowded = 0;
    worker->patience = KP_LEAST_PATIENCE;
    worker->alive = worker->count;
    worker->canaries = worker->machine->pool->stacks.guard == KP_GUARD_CANARIES;
    worker->watched = kp_memory_is_watched() || kp_threads_are_watched();
    /* kp_mix is called twice, because neighbouring seeds must not give neighbouring positions in
     * one random sequence. */
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

/* Runs the worker's fibers until all have ended. The caller is on the thread's own stack. */
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
    kp_marks_unnumber(&worker->main.marks);
}

void kp_fibers_carry(kp_machine *machine, int hand)
{
    line_up(&machine->pool->workers[hand]);
    run(&machine->pool->workers[hand]);
}

/* Continues a run after a thread has ended within the program of `self`. The stack of `self` is
 * left as it is. */
void kp_fibers_carry_rest(kp_proc *self)
{
    struct kp_worker *worker = kp_self.fiber->worker;
    (void)self;
    worker->alive--;
    run(worker);
}
