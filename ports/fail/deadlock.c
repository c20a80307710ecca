/* The deadlock detector. It finds a deadlock at the moment when the last processor begins to wait,
 * and needs no time limit.
 *
 * A processor that is about to sleep notes the word that it waits for. Then it counts itself idle
 * in the idle word, one word of the machine. The idle word also counts its own changes. The
 * processor that brings the count of idle processors to n reads all notes. A deadlock has happened
 * if no awaited word has changed and the idle word is still the same after that. Then all
 * processors slept at one moment, and no processor was left to change the words. A processor that
 * spins does not count as idle, nor does one that no thread has attached to, nor one whose thread
 * blocks outside kport.
 *
 * A thread that takes a snapshot of sleeping processors must keep them from going on meanwhile. It
 * sets the bit HELD in the idle word. A processor that wakes counts itself busy. If it then finds
 * HELD, it waits for the machine's lock. If it counted itself busy before HELD was set, it had
 * already withdrawn its note, and the snapshot sees that. */
#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/fail/snapshot.h"
#include "ports/machine_data.h"
#include "ports/member.h"
#include "ports/request/request.h"
#include "ports/sync/sync.h"

#include <stdio.h>
#include <time.h>

#define ONE_CHANGE (UINT64_C(1) << 32)
#define HELD       (UINT64_C(1) << 31) /* the other 31 low bits count the idle processors */

#if defined(__linux__) && defined(CLOCK_MONOTONIC_COARSE)
#define CHEAP_CLOCK CLOCK_MONOTONIC_COARSE
#else
#define CHEAP_CLOCK CLOCK_MONOTONIC
#endif

uint64_t kp_deadlock_clock(void)
{
    struct timespec t;
    clock_gettime(CHEAP_CLOCK, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000 + 1;
}

/* --- Holding --- */

uint64_t kp_deadlock_hold(kp_machine *machine)
{
    return atomic_fetch_or_explicit(&machine->idle, HELD, KP_ORDER_IDLE);
}

void kp_deadlock_let_go(kp_machine *machine, uint64_t before)
{
    if (!(before & HELD))
        atomic_fetch_and_explicit(&machine->idle, ~HELD, KP_ORDER_IDLE);
}

/* --- Wording the error --- */

#define NAMED_AT_MOST 8

int kp_deadlock_missing(const kp_group *member, int rank, bool late)
{
    uint64_t episode = atomic_load_explicit(&member->published.episodes, KP_ORDER_WITHIN_EPISODE);
    for (; rank < member->shared->size; rank++) {
        const kp_group *other = &member->shared->members[rank];
        if (atomic_load_explicit(&other->published.episodes, KP_ORDER_WITHIN_EPISODE) < episode &&
            !(late && kp_mail_still_awaited(other) >= 0))
            return rank;
    }
    return -1;
}

void kp_deadlock_say_missing(const kp_group *member, bool late, struct kp_words *words)
{
    int missing = 0;
    for (int i = kp_deadlock_missing(member, 0, late); i >= 0;
         i = kp_deadlock_missing(member, i + 1, late)) {
        const kp_proc *proc = &member->shared->machine->procs[member->shared->processors[i]];
        bool empty = atomic_load_explicit(&proc->state, KP_ORDER_STATE) == KP_PROC_EMPTY;
        if (missing++ < NAMED_AT_MOST)
            kp_say(words, "%s%d%s", missing > 1 ? ", " : "", proc->number,
                   !empty           ? ""
                   : proc->detached ? " (nobody has attached to it again since its thread detached)"
                                    : " (nobody has attached to it)");
    }
    if (missing > NAMED_AT_MOST)
        kp_say(words, " and %d more", missing - NAMED_AT_MOST);
}

void kp_deadlock_say_outside(const kp_machine *machine, int processor, struct kp_words *words)
{
    char where[KP_SITE_WORDS];
    const kp_proc *proc = &machine->procs[processor];
    /* seldom taken: depends on what the processor does at this moment */
    if (machine->config.wire || kp_proc_is_inside(proc) ||
        atomic_load_explicit(&proc->state, KP_ORDER_STATE) != KP_PROC_RUNNING)
        return;
    kp_site_name(kp_site_of(proc), where);
    if (where[0]) /* seldom taken: it has made no call yet */
        kp_say(words, ", which is outside of kport since its call at %s", where);
}

/* --- Notes --- */

/* Returns the member in whose call a processor of a deadlock waits, or NULL if the processor has
 * ended. While a deadlock is declared, nobody goes on, so the notes are what all_wait has found.
 * A thread that is woken meanwhile hides its note for a moment, before it waits for the machine's
 * lock. So this function does not ask whether the note is hidden. Otherwise the thread's group
 * would not fail with the others, and the thread would go on waiting. */
static kp_group *waits_in(const kp_proc *proc)
{
    if (atomic_load_explicit(&proc->state, KP_ORDER_STATE) == KP_PROC_ENDED)
        return NULL;
    return atomic_load_explicit(&proc->parked->in, KP_ORDER_NOTE);
}

bool kp_deadlock_sleeps(const kp_group *member, uint32_t old)
{
    const kp_proc *proc = kp_member_carrier(member);
    if (kp_mail_awaited(member) >= 0 || atomic_load_explicit(&proc->listening, KP_ORDER_NOTE) != 0)
        return atomic_load_explicit(&proc->bell.value, KP_ORDER_INSPECT) == old;
    uint32_t now = atomic_load_explicit(&kp_sync_word(member)->value, KP_ORDER_INSPECT);
    return (now & KP_GENERATION_LOW) == member->seen;
}

/* --- Deadlocks --- */

const kp_request *kp_deadlock_request(const kp_group *member)
{
    const kp_request *request = kp_request_awaited_by(member);
    return kp_mail_awaited(member) < 0 ? request : NULL;
}

int kp_deadlock_awaited(const kp_group *member)
{
    const kp_request *request = kp_deadlock_request(member);
    return request ? request->row->awaits(request) : kp_mail_awaited(member);
}

bool kp_deadlock_awaits_any(const kp_group *member)
{
    const kp_request *request = kp_deadlock_request(member);
    return request && request->row->awaits(request) < 0;
}

/* Returns one of the members that a parked member waits for. If any member could let it go on,
 * returns another one that is parked, or the member itself if all others have ended. */
static const kp_group *awaited_member(const kp_group *member)
{
    const struct kp_shared *shared = member->shared;
    int rank = kp_deadlock_awaited(member);
    if (rank < 0 && !kp_deadlock_awaits_any(member))
        rank = kp_deadlock_missing(member, 0, false);
    for (int i = 1; rank < 0 && i < shared->size; i++) {
        const int other = (member->rank + i) % shared->size;
        rank = waits_in(kp_member_carrier(&shared->members[other])) ? other : -1;
    }
    return rank < 0 ? member : &shared->members[rank];
}

/* Returns one of the processors that a parked processor waits for. */
static kp_proc *awaited_by(const kp_proc *proc)
{
    return kp_member_carrier(awaited_member(waits_in(proc)));
}

/* Returns a processor on a cycle of waits. All processors wait. So a walk from each processor to
 * one that it waits for comes back to a processor on the walk. */
static kp_proc *find_cycle(kp_machine *machine)
{
    kp_proc *at = NULL;
    for (int i = machine->n - 1; i >= 0; i--) {
        machine->procs[i].mark = 0;
        at = waits_in(&machine->procs[i]) ? &machine->procs[i] : at;
    }
    for (; !at->mark; at = awaited_by(at))
        at->mark = 1;
    return at;
}

/* Adds to the error sentence which call a parked processor is in. */
static void say_call(const kp_proc *proc, struct kp_words *words)
{
    char call[240];
    const kp_group *member = waits_in(proc);
    kp_request_or_call_name(member, call, sizeof call);
    kp_say(words, "; processor %d in %s", proc->number, call);
}

/* Adds to the error sentence the cycle and its calls, as far as there is space. */
static void say_cycle(const kp_proc *first, struct kp_snapshot *snapshot, struct kp_words *words)
{
    int length = 0, *cycle = kp_snapshot_concerned(snapshot, snapshot->machine->n);
    const kp_proc *at = first;
    do {
        const kp_proc *next = awaited_by(at);
        if (length < NAMED_AT_MOST)
            kp_say(words, "%s%d waits for %d", length > 0 ? ", " : "; ", at->number, next->number);
        if (cycle)
            cycle[length] = at->number;
        length++;
        at = next;
    } while (at != first);
    if (length > NAMED_AT_MOST)
        kp_say(words, " and so on, %d in all", length);
    for (int i = 0; i < length && i < NAMED_AT_MOST; i++, at = awaited_by(at))
        say_call(at, words);
    snapshot->told.concerned_count = cycle ? length : 0;
}

/* Describes a mismatch of two members. The first, `member`, waits by mailboxes for the second,
 * which has rank `rank`. The second waits at the barrier after fewer calls by mailboxes. Both have
 * passed as many barriers, so one of them has made a wrong call. Returns false if they do not wait
 * in this way. */
static bool say_barrier(const kp_group *member, int rank, struct kp_words *words,
                        struct kp_site *site)
{
    char here[160], there[160];
    const struct kp_shared *shared = member->shared;
    const kp_group *other = waits_in(&shared->machine->procs[shared->processors[rank]]);
    /* seldom taken: the other member goes on meanwhile */
    if (other != &shared->members[rank] || kp_mail_awaited(other) >= 0 ||
        kp_mail_calls(other) >= kp_mail_calls(member))
        return false;
    kp_call_name(member, here, sizeof here);
    kp_call_name(other, there, sizeof there);
    kp_say(words, "processor %d called %s, processor %d called %s",
           shared->processors[member->rank], here, shared->processors[rank], there);
    *site = kp_site_of(kp_member_carrier(member));
    return true;
}

/* Declares a mismatch, not a deadlock, if two members wait for each other because their calls
 * differ. This happens only by mailboxes. By the barrier these members would arrive at one
 * episode. */
static bool declare_mismatch(kp_machine *machine, struct kp_snapshot *snapshot,
                             kp_error_record *why)
{
    struct kp_words words = {.text = why->sentence, .size = sizeof why->sentence};
    for (int i = 0; i < machine->n; i++) {
        const kp_group *member = waits_in(&machine->procs[i]);
        int rank = member && member->mail ? kp_deadlock_awaited(member) : -1;
        struct kp_site site;
        if (rank < 0 || !(kp_mail_say_difference(member, rank, &words, &site) ||
                          say_barrier(member, rank, &words, &site)))
            continue;
        kp_error_at(why, site);
        why->status = KP_EMISMATCH;
        why->processor = i;
        why->round = member->round;
        why->peer = member->shared->processors[rank];
        kp_snapshot_take(snapshot, KP_DIAGNOSIS_MISMATCH, why, i, why->peer);
        return true;
    }
    return false;
}

static void declare_deadlock(kp_machine *machine, struct kp_snapshot *snapshot,
                             kp_error_record *why)
{
    struct kp_words words = {.text = why->sentence, .size = sizeof why->sentence};
    const kp_proc *first = find_cycle(machine);
    const kp_request *request = kp_deadlock_request(waits_in(first));
    why->status = KP_EDEADLOCK;
    why->processor = first->number;
    kp_error_at(why, request ? request->site : kp_site_of(first));
    kp_snapshot_take(snapshot, KP_DIAGNOSIS_DEADLOCK, why, -1, -1);
    kp_say(&words, "deadlock: every processor waits");
    say_cycle(first, snapshot, &words);
    kp_end_sentence(&words);
    snapshot->told.error = *why;
}

static void declare(kp_machine *machine, struct kp_snapshot *snapshot)
{
    kp_error_record why = KP_ERROR_OF(KP_OK, -1);
    if (!declare_mismatch(machine, snapshot, &why))
        declare_deadlock(machine, snapshot, &why);
    kp_first_failure(machine, &why);
    for (int i = 0; i < machine->n; i++) {
        kp_group *member = waits_in(&machine->procs[i]);
        if (member)
            kp_sync_fail(member->shared, &why);
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
            return false; /* this processor has been woken and will go on */
        waiting++;
    }
    return waiting > 0;
}

/* Looks for a deadlock. The caller has found all n processors idle, and `before` is the idle word
 * at that moment. This function takes the machine's lock. While the lock is held, nobody frees the
 * words that the function reads. */
static void inspect(kp_machine *machine, uint64_t before)
{
    struct kp_snapshot snapshot;
    kp_snapshot_begin(&snapshot, machine);
    if (all_wait(machine)) {
        uint64_t now = kp_deadlock_hold(machine);
        if (now == before) /* seldom taken: a processor has gone on meanwhile */
            declare(machine, &snapshot);
        kp_deadlock_let_go(machine, now);
    }
    kp_snapshot_end(&snapshot);
}

void kp_deadlock_many_parked(kp_machine *machine, int count)
{
    /* The addition is a release of this thread's notes, and acquires the notes of the processors
     * counted before. */
    uint64_t more = ONE_CHANGE + (uint64_t)count;
    uint64_t now = atomic_fetch_add_explicit(&machine->idle, more, KP_ORDER_IDLE) + more;
    if ((uint32_t)(now & ~HELD) == (uint32_t)machine->n)
        inspect(machine, now & ~HELD);
}

bool kp_deadlock_count_busy(kp_machine *machine, int count)
{
    uint64_t more = ONE_CHANGE - (uint64_t)count;
    return atomic_fetch_add_explicit(&machine->idle, more, KP_ORDER_IDLE) & HELD;
}

void kp_deadlock_many_unparked(kp_machine *machine, int count)
{
    if (kp_deadlock_count_busy(machine, count)) {
        pthread_mutex_lock(&machine->lock);
        pthread_mutex_unlock(&machine->lock);
    }
}

/* The processor counts as parked until it has the lock, so its notes are valid until then. */
void kp_deadlock_lock_late(kp_group *member)
{
    struct kp_parked *parked = member->self->parked;
    atomic_store_explicit(&parked->holds, true, KP_ORDER_SHOW);
    pthread_mutex_lock(&member->shared->machine->lock);
    kp_parked_hide(parked);
}

/* Only a thread can jump out of a wait, because a fiber that waits does not run. */
void kp_deadlock_jumped(kp_proc *self)
{
    kp_group *member = kp_parked_in(self->parked);
    if (member)
        member->waiter.unparked(member);
}
