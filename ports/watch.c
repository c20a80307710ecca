/* The watch: a deadlock is known the moment every processor waits, without a time limit.
 *
 * A processor notes what it is about to sleep on and counts itself idle in one word of the machine,
 * which also counts the changes. Who brings the count to n looks at every note again: if no waited-
 * for word has changed, and the watch word is still the same afterwards, then at that moment all
 * slept on words that nobody was left to change. Processors that spin, seats that nobody has taken
 * and threads blocked outside the library count as busy.
 *
 * Who describes those that sleep must keep them from going on meanwhile. It sets a bit in the same
 * word: who counts itself busy again after that finds it there, and waits for the machine's lock.
 * Who counted itself busy before has taken its notes away, and that is seen. */
#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/machine_data.h"
#include "ports/survey.h"
#include "ports/sync/sync.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define ONE_CHANGE (UINT64_C(1) << 32)
#define HELD       (UINT64_C(1) << 31) /* the rest of the low half counts */

#if defined(__linux__) && defined(CLOCK_MONOTONIC_COARSE)
#define CHEAP_CLOCK CLOCK_MONOTONIC_COARSE
#else
#define CHEAP_CLOCK CLOCK_MONOTONIC
#endif

uint64_t kp_watch_clock(void)
{
    struct timespec t;
    clock_gettime(CHEAP_CLOCK, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000 + 1;
}

/* --- Holding --- */

uint64_t kp_watch_hold(kp_machine *machine)
{
    return atomic_fetch_or_explicit(&machine->idle, HELD, KP_ORDER_IDLE);
}

void kp_watch_let_go(kp_machine *machine, uint64_t before)
{
    if (!(before & HELD))
        atomic_fetch_and_explicit(&machine->idle, ~HELD, KP_ORDER_IDLE);
}

/* --- Words for it --- */

static void append(char *text, size_t size, const char *more)
{
    size_t length = strlen(text);
    if (length < size)
        snprintf(text + length, size - length, "%s", more);
}

#define NAMED_AT_MOST 8

bool kp_watch_misses(const kp_group *seat, const kp_group *other, bool late)
{
    uint64_t passes = atomic_load_explicit(&other->shown.passes, KP_ORDER_WITHIN_PASS);
    return passes < seat->passes && !(late && kp_mail_still_awaited(other) >= 0);
}

int kp_watch_missing(const kp_group *seat, bool late, char *text, size_t size)
{
    const struct kp_shared *shared = seat->shared;
    int missing = 0, first = -1;
    text[0] = '\0';
    for (int i = 0; i < shared->size; i++) {
        char number[64];
        if (!kp_watch_misses(seat, &shared->members[i], late))
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
    char call[160], missing[160], part[400];
    kp_call_name(seat, call, sizeof call);
    int awaited = kp_mail_awaited(seat);
    if (awaited < 0)
        kp_watch_missing(seat, false, missing, sizeof missing);
    else
        snprintf(missing, sizeof missing, "%d", seat->shared->processors[awaited]);
    snprintf(part, sizeof part, "; processor %d waits in %s for %s", proc->number, call, missing);
    append(text, size, part);
}

/* --- Notes --- */

/* The seat in whose call a processor is parked; NULL if it has ended. */
static kp_group *parked_in(const kp_proc *proc)
{
    if (atomic_load_explicit(&proc->state, KP_ORDER_STATE) == KP_PROC_ENDED)
        return NULL;
    return kp_parked_in(proc->parked);
}

bool kp_watch_sleeps(const kp_group *seat, uint32_t old)
{
    if (kp_mail_awaited(seat) >= 0)
        return atomic_load_explicit(&kp_mail_bell(seat)->value, KP_ORDER_INSPECT) == old;
    uint32_t now = atomic_load_explicit(&kp_sync_word(seat)->value, KP_ORDER_INSPECT);
    return (now & KP_GENERATION_LOW) == seat->seen;
}

bool kp_watch_note(const kp_proc *proc, struct kp_note *note)
{
    return proc->machine->carrier->note(proc, note);
}

/* --- Deadlocks --- */

static int first_missing(const kp_group *seat)
{
    const struct kp_shared *shared = seat->shared;
    for (int i = 0; i < shared->size; i++) {
        if (kp_watch_misses(seat, &shared->members[i], false))
            return shared->processors[i];
    }
    return -1;
}

/* One that a parked processor waits for; NULL if it does not wait. */
static kp_proc *awaited_by(const kp_proc *proc)
{
    const kp_group *seat = parked_in(proc);
    if (!seat)
        return NULL;
    int rank = kp_mail_awaited(seat);
    int awaited = rank >= 0 ? seat->shared->processors[rank] : first_missing(seat);
    return awaited >= 0 ? &proc->machine->procs[awaited] : NULL;
}

/* Everyone waits, so who goes from each to one it waits for goes in a circle in the end. Returns
 * one on it, NULL if there is none. */
static kp_proc *find_cycle(kp_machine *machine)
{
    kp_proc *at = NULL;
    for (int i = 0; i < machine->n; i++) {
        machine->procs[i].mark = 0;
        if (!at && parked_in(&machine->procs[i]))
            at = &machine->procs[i];
    }
    while (at && !at->mark) {
        at->mark = 1;
        at = awaited_by(at);
    }
    return at;
}

/* The cycle, and in what calls; no more of it than fits the sentence. */
static void word_cycle(kp_error_record *why, const kp_proc *first, struct kp_survey *survey)
{
    char part[64];
    int length = 0, *cycle = NULL;
    const kp_proc *at = first;
    do {
        const kp_proc *next = awaited_by(at);
        snprintf(part, sizeof part, "%s%d waits for %d", length > 0 ? ", " : "; ", at->number,
                 next->number);
        if (length++ < NAMED_AT_MOST)
            append(why->sentence, sizeof why->sentence, part);
        at = next;
    } while (at != first);
    if (length > NAMED_AT_MOST) {
        snprintf(part, sizeof part, " and so on, %d in all", length);
        append(why->sentence, sizeof why->sentence, part);
    }
    for (int i = 0; i < length && i < NAMED_AT_MOST; i++, at = awaited_by(at))
        describe(at, parked_in(at), why->sentence, sizeof why->sentence);
    cycle = kp_survey_concerned(survey, length);
    at = first;
    for (int i = 0; cycle && i < length; i++, at = awaited_by(at))
        cycle[i] = at->number;
}

/* Of one that waits in a call by mailboxes for a member that waits at the barrier and has not made
 * as many such calls: as many barriers lie behind both, so one has called something else. */
static bool word_barrier(const kp_group *seat, int rank, char *text, size_t size)
{
    char here[160], there[160];
    const struct kp_shared *shared = seat->shared;
    const kp_group *other = parked_in(&shared->machine->procs[shared->processors[rank]]);
    if (other != &shared->members[rank] || kp_mail_awaited(other) >= 0 ||
        kp_mail_calls(other) >= kp_mail_calls(seat))
        return false;
    kp_call_name(seat, here, sizeof here);
    kp_call_name(other, there, sizeof there);
    snprintf(text, size, "processor %d called %s, processor %d called %s",
             shared->processors[seat->rank], here, shared->processors[rank], there);
    return true;
}

/* Members that wait for each other because they called different things: that is what is to be
 * said. Under mailboxes only; by the barrier they have met. */
static bool declare_mismatch(kp_machine *machine, struct kp_survey *survey, kp_error_record *why)
{
    for (int i = 0; i < machine->n; i++) {
        const kp_group *seat = parked_in(&machine->procs[i]);
        int rank = seat ? kp_mail_awaited(seat) : -1;
        if (rank < 0 ||
            (!kp_mail_word_difference(seat, rank, why->sentence, sizeof why->sentence) &&
             !word_barrier(seat, rank, why->sentence, sizeof why->sentence)))
            continue;
        why->status = KP_EMISMATCH;
        why->processor = i;
        why->round = seat->round;
        why->peer = seat->shared->processors[rank];
        kp_survey_take(survey, KP_DIAGNOSIS_MISMATCH, why, NULL);
        int *about = kp_survey_concerned(survey, 2);
        if (about) {
            about[0] = i;
            about[1] = why->peer;
        }
        return true;
    }
    return false;
}

static void declare_deadlock(kp_machine *machine, struct kp_survey *survey, kp_error_record *why)
{
    const kp_proc *first = find_cycle(machine);
    why->status = KP_EDEADLOCK;
    snprintf(why->sentence, sizeof why->sentence, "deadlock: every processor waits");
    kp_survey_take(survey, KP_DIAGNOSIS_DEADLOCK, why, NULL);
    if (first) {
        why->processor = first->number;
        word_cycle(why, first, survey);
    }
    survey->told.error = *why;
}

static void declare(kp_machine *machine, struct kp_survey *survey)
{
    kp_error_record why;
    memset(&why, 0, sizeof why);
    why.processor = why.round = why.port = why.peer = why.line = -1;
    if (!declare_mismatch(machine, survey, &why))
        declare_deadlock(machine, survey, &why);
    if (machine->first.status == KP_OK)
        machine->first = why;
    for (int i = 0; i < machine->n; i++) {
        kp_group *seat = parked_in(&machine->procs[i]);
        if (seat)
            kp_fail_group(seat->shared, &why);
    }
}

static bool all_wait(const kp_machine *machine)
{
    int waiting = 0;
    for (int i = 0; i < machine->n; i++) {
        const kp_proc *proc = &machine->procs[i];
        if (atomic_load_explicit(&proc->state, KP_ORDER_STATE) == KP_PROC_ENDED)
            continue;
        if (!kp_is_asleep(proc->parked))
            return false; /* somebody has been woken and will go on */
        waiting++;
    }
    return waiting > 0;
}

/* Called by who made the count n, or found it so: `before` is the watch word as it was left then.
 * The machine's lock keeps the words that are looked at from being freed. */
static void inspect(kp_machine *machine, uint64_t before)
{
    struct kp_survey survey;
    kp_survey_begin(&survey, machine);
    pthread_mutex_lock(&machine->lock);
    if (all_wait(machine)) {
        uint64_t now = kp_watch_hold(machine);
        if (now == before)
            declare(machine, &survey);
        kp_watch_let_go(machine, now);
    }
    pthread_mutex_unlock(&machine->lock);
    kp_survey_tell(&survey);
}

void kp_watch_many_parked(kp_machine *machine, int count)
{
    /* Releases the notes; acquires the notes and words of all who were counted before. */
    uint64_t more = ONE_CHANGE + (uint64_t)count;
    uint64_t now = atomic_fetch_add_explicit(&machine->idle, more, KP_ORDER_IDLE) + more;
    if ((uint32_t)(now & ~HELD) == (uint32_t)machine->n)
        inspect(machine, now & ~HELD);
}

bool kp_watch_count_busy(kp_machine *machine, int count)
{
    uint64_t more = ONE_CHANGE - (uint64_t)count;
    return atomic_fetch_add_explicit(&machine->idle, more, KP_ORDER_IDLE) & HELD;
}

void kp_watch_many_unparked(kp_machine *machine, int count)
{
    if (kp_watch_count_busy(machine, count)) {
        pthread_mutex_lock(&machine->lock);
        pthread_mutex_unlock(&machine->lock);
    }
}

/* It stays where it is until it has the lock, so its notes hold as long. */
void kp_watch_lock_late(kp_group *seat)
{
    struct kp_parked *parked = seat->self->parked;
    atomic_store_explicit(&parked->holds, true, KP_ORDER_SHOW);
    pthread_mutex_lock(&seat->shared->machine->lock);
    kp_parked_hide(parked);
}

void kp_watch_jumped(kp_proc *self)
{
    kp_group *seat = kp_parked_in(self->parked);
    if (seat && seat->waiter.unparked)
        seat->waiter.unparked(seat);
}

void kp_watch_ended(kp_proc *self)
{
    kp_watch_many_parked(self->machine, 1);
}
