/* What the watch knows of fibers: where one waits, and in what call. */
#include "ports/carrier/fibers.h"

static const struct kp_fiber *fiber_of(const kp_proc *proc)
{
    return &kp_crew_of(proc->machine)->fibers[proc->number];
}

kp_group *kp_fiber_parked_in(const kp_proc *proc)
{
    return atomic_load_explicit(&fiber_of(proc)->seat, KP_ORDER_INSPECT);
}

struct kp_wait_word *kp_fiber_parked_on(const kp_proc *proc, uint32_t *old)
{
    struct kp_wait_queue *queue = atomic_load_explicit(&fiber_of(proc)->queue, KP_ORDER_INSPECT);
    *old = queue ? atomic_load_explicit(&queue->old, KP_ORDER_NOTE) : 0;
    return queue ? queue->word : NULL;
}

/* A pointer that may be stale is looked for, not followed. */
static kp_group *seat_if_any(const kp_machine *machine, kp_group *seat)
{
    for (struct kp_shared *s = machine->groups; s; s = s->next) {
        if (seat >= s->members && seat < s->members + s->size)
            return seat;
    }
    return NULL;
}

/* Of a fiber that may be going on: its bell has not been rung, or it is not known. */
static bool may_sleep(const kp_group *seat)
{
    const struct kp_wait_word *bell = kp_mail_awaited(seat) >= 0 ? kp_mail_bell(seat) : NULL;
    return !bell || atomic_load_explicit(&bell->value, KP_ORDER_INSPECT) ==
                        atomic_load_explicit(&bell->queues->old, KP_ORDER_NOTE);
}

/* When a wait with a time limit began. */
static uint64_t began(const struct kp_fiber *fiber)
{
    return fiber->deadline / 1000000 - fiber->proc->machine->config.time_limit_ms + 1;
}

/* Fibers of a worker that is parked stand still while the sleepers are held, and so do those beside
 * the fiber that looks. Of others it is only known that they wait. */
bool kp_fiber_note(const kp_proc *proc, struct kp_note *note)
{
    const struct kp_fiber *fiber = fiber_of(proc);
    const struct kp_worker *worker = fiber->worker;
    struct kp_wait_queue *queue = atomic_load_explicit(&fiber->queue, KP_ORDER_INSPECT);
    if (!queue)
        return false;
    note->exact = (kp_self.fiber && kp_self.fiber->worker == worker) ||
                  atomic_load_explicit(&worker->counted, KP_ORDER_INSPECT);
    note->seat = atomic_load_explicit(&fiber->seat, KP_ORDER_INSPECT);
    note->since = 0;
    if (!note->exact)
        note->seat = seat_if_any(proc->machine, note->seat);
    if (!note->exact || !note->seat)
        return note->seat && may_sleep(note->seat);
    note->since = fiber->timed ? began(fiber) : queue->since;
    return kp_watch_sleeps(note->seat, atomic_load_explicit(&queue->old, KP_ORDER_NOTE));
}
