/* The watch: a deadlock is known the moment every processor waits, without a time limit.
 *
 * A processor notes what it is about to sleep on and counts itself idle in one word of the machine,
 * which also counts the changes. Who brings the count to n looks at every note again: if no waited-
 * for word has changed, and the watch word is still the same afterwards, then at that moment all
 * slept on words that nobody was left to change. Processors that spin, seats that nobody has taken
 * and threads blocked outside the library count as busy. */
#include "ports/error.h"
#include "ports/fiber.h"
#include "ports/machine_data.h"

#include <stdio.h>
#include <string.h>

#define ONE_CHANGE (UINT64_C(1) << 32)

static void append(char *text, size_t size, const char *more)
{
    size_t length = strlen(text);
    if (length < size)
        snprintf(text + length, size - length, "%s", more);
}

#define NAMED_AT_MOST 8

int kp_watch_missing(const kp_group *seat, char *text, size_t size)
{
    const struct kp_shared *shared = seat->shared;
    int missing = 0, first = -1;
    text[0] = '\0';
    for (int i = 0; i < shared->size; i++) {
        char number[64];
        const struct kp_group *other = &shared->members[i];
        if (atomic_load_explicit(&other->shown.passes, KP_ORDER_WITHIN_PASS) >= seat->passes)
            continue;
        int p = shared->processors[i];
        first = first < 0 ? p : first;
        bool empty =
            atomic_load_explicit(&shared->machine->procs[p].state, KP_ORDER_STATE) == KP_PROC_EMPTY;
        if (missing++ < NAMED_AT_MOST) {
            snprintf(number, sizeof number, "%s%d%s", missing > 1 ? ", " : "", p,
                     empty ? " (nobody has attached to it)" : "");
            append(text, size, number);
        }
    }
    if (missing > NAMED_AT_MOST) {
        char rest[32];
        snprintf(rest, sizeof rest, " and %d more", missing - NAMED_AT_MOST);
        append(text, size, rest);
    }
    return first;
}

/* What one parked processor waits for, as part of the sentence. */
static void describe(const kp_proc *proc, kp_group *seat, char *text, size_t size)
{
    char call[160] = "a call", missing[160], part[400];
    if (seat->shown.call.describe)
        seat->shown.call.describe(seat->shown.call.subject, call, sizeof call);
    int awaited = kp_mail_awaited(seat);
    if (awaited < 0)
        kp_watch_missing(seat, missing, sizeof missing);
    else
        snprintf(missing, sizeof missing, "%d", seat->shared->processors[awaited]);
    snprintf(part, sizeof part, "; processor %d waits in %s for %s", proc->number, call, missing);
    append(text, size, part);
}

/* The seat in whose call a processor is parked; NULL if it has ended. */
static kp_group *parked_in(const kp_proc *proc)
{
    if (atomic_load_explicit(&proc->state, KP_ORDER_STATE) == KP_PROC_ENDED)
        return NULL;
    if (proc->machine->crew)
        return atomic_load_explicit(&proc->machine->crew->fibers[proc->number].seat,
                                    KP_ORDER_INSPECT);
    return atomic_load_explicit(&proc->parked_in, KP_ORDER_INSPECT);
}

static struct kp_wait_word *parked_on(const kp_proc *proc, uint32_t *old)
{
    if (proc->machine->crew) {
        struct kp_wait_queue *queue = atomic_load_explicit(
            &proc->machine->crew->fibers[proc->number].queue, KP_ORDER_INSPECT);
        *old = queue ? atomic_load_explicit(&queue->old, KP_ORDER_NOTE) : 0;
        return queue ? queue->word : NULL;
    }
    struct kp_wait_word *word = atomic_load_explicit(&proc->parked_on, KP_ORDER_INSPECT);
    *old = atomic_load_explicit(&proc->parked_value, KP_ORDER_NOTE);
    return word;
}

static void declare(kp_machine *machine)
{
    kp_error_record why;
    memset(&why, 0, sizeof why);
    why.status = KP_EDEADLOCK;
    why.processor = why.round = why.port = why.peer = why.line = -1;
    snprintf(why.sentence, sizeof why.sentence, "deadlock: every processor waits");
    int described = 0;
    for (int i = 0; i < machine->n; i++) {
        kp_proc *proc = &machine->procs[i];
        kp_group *seat = parked_in(proc);
        if (!seat)
            continue;
        if (why.processor < 0)
            why.processor = proc->number;
        if (described++ < NAMED_AT_MOST)
            describe(proc, seat, why.sentence, sizeof why.sentence);
    }
    if (machine->first.status == KP_OK)
        machine->first = why;
    for (int i = 0; i < machine->n; i++) {
        kp_group *seat = parked_in(&machine->procs[i]);
        if (seat)
            kp_fail_group(seat->shared, &why);
    }
}

/* Called by who made the count n, or found it so: `before` is the watch word as it was left then.
 * The machine's lock keeps the words that are looked at from being freed. */
static void inspect(kp_machine *machine, uint64_t before)
{
    int waiting = 0;
    pthread_mutex_lock(&machine->lock);
    for (int i = 0; i < machine->n; i++) {
        kp_proc *proc = &machine->procs[i];
        if (atomic_load_explicit(&proc->state, KP_ORDER_STATE) == KP_PROC_ENDED)
            continue;
        uint32_t old;
        struct kp_wait_word *word = parked_on(proc, &old);
        if (!word || atomic_load_explicit(&word->value, KP_ORDER_INSPECT) != old)
            goto done; /* somebody has been woken and will go on */
        waiting++;
    }
    if (waiting > 0 && atomic_load_explicit(&machine->idle, KP_ORDER_INSPECT) == before)
        declare(machine);
done:
    pthread_mutex_unlock(&machine->lock);
}

void kp_watch_many_parked(kp_machine *machine, int count)
{
    /* Releases the notes; acquires the notes and words of all who were counted before. */
    uint64_t more = ONE_CHANGE + (uint64_t)count;
    uint64_t now = atomic_fetch_add_explicit(&machine->idle, more, KP_ORDER_IDLE) + more;
    if ((uint32_t)now == (uint32_t)machine->n)
        inspect(machine, now);
}

void kp_watch_many_unparked(kp_machine *machine, int count)
{
    atomic_fetch_add_explicit(&machine->idle, ONE_CHANGE - (uint64_t)count, KP_ORDER_IDLE);
}

void kp_watch_parking(void *watched, struct kp_wait_word *word, uint32_t old)
{
    kp_group *seat = watched;
    kp_proc *self = seat->self;
    atomic_store_explicit(&self->parked_value, old, KP_ORDER_NOTE);
    atomic_store_explicit(&self->parked_in, seat, KP_ORDER_NOTE);
    atomic_store_explicit(&self->parked_on, word, KP_ORDER_NOTE);
    kp_watch_many_parked(self->machine, 1);
}

void kp_watch_unparked(void *watched)
{
    kp_group *seat = watched;
    kp_proc *self = seat->self;
    atomic_store_explicit(&self->parked_on, NULL, KP_ORDER_NOTE);
    atomic_store_explicit(&self->parked_in, NULL, KP_ORDER_NOTE);
    kp_watch_many_unparked(self->machine, 1);
}

void kp_watch_ended(kp_proc *self)
{
    kp_watch_many_parked(self->machine, 1);
}
