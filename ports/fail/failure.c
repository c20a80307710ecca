/* Failures. If a processor fails or is gone, every member that waits for it gets an error at once.
 * The error's sentence names the processor.
 *
 * A failure sets the top bit of the group's barrier word, and from then on the word never changes.
 * So the current use of the barrier (episode) has happened for every member or for none. The
 * members that wait sleep on this word, so the change wakes all of them. */
#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/fail/snapshot.h"
#include "ports/machine_data.h"
#include "ports/member.h"
#include "ports/message/messages.h"
#include "ports/request/progress.h"
#include "ports/sync/sync.h"

#include <stdarg.h>
#include <stdio.h>

void kp_first_failure(kp_machine *machine, const kp_error_record *why)
{
    /* Of a refused call, the other members may end before the one whose arguments were wrong. */
    const bool passed_on = machine->first.status == KP_EPEER && why->status != KP_EPEER;
    if (machine->first.status == KP_OK || passed_on)
        machine->first = *why;
}

bool kp_fail_group_unless_moved(kp_group *member, const kp_error_record *why)
{
    struct kp_shared *shared = member->shared;
    struct kp_wait_word *word = kp_sync_word(member);
    uint32_t now = atomic_load_explicit(&word->value, KP_ORDER_OBSERVE);
    if ((now & KP_GENERATION_LOW) != member->seen) /* seldom taken: the group goes on meanwhile */
        return false;
    if (shared->failed) /* seldom taken: another member gives up too */
        return true;
    shared->failure = *why;
    /* in a pair, `word` is the other member's word, because this member has already arrived */
    if (!kp_pair_freeze_before(&word->value, member->seen)) /* seldom taken: the pair goes on now */
        return false;
    /* From here on the members that wait may read the reason. */
    kp_sync_fail(shared, &shared->failure);
    return true;
}

/* Makes all groups of a processor fail. If `by_ending` is true, receivers can still take messages
 * that the processor has put into mailboxes. */
static void fail_groups_of(kp_proc *self, const kp_error_record *why, bool by_ending)
{
    for (struct kp_shared *s = self->machine->groups; s; s = s->next) {
        if (kp_rank_of(s, self->number) < 0)
            continue;
        s->sync[0]->fail(s, why);
        kp_mail_stop_reading(s, self->number);
        kp_messages_leave(s, self->number, why, by_ending);
        if (by_ending)
            kp_mail_leave(s, self->number, why);
        else
            kp_mail_break(s, why);
    }
}

void kp_error_at(kp_error_record *error, struct kp_site site)
{
    error->file = site.file;
    error->line = kp_site_line(site);
}

int kp_proc_keep_error(kp_proc *self)
{
    self->error = *kp_error_slot();
    self->error.processor = self->error.processor < 0 ? self->number : self->error.processor;
    kp_error_at(&self->error, kp_site_of(self));
    self->error_told = false;
    *kp_error_slot() = self->error;
    return self->error.status;
}

int kp_proc_say_call(kp_proc *self, const char *call)
{
    char where[KP_SITE_WORDS];
    kp_error_record *slot = kp_error_slot();
    kp_site_name(kp_site_of(self), where);
    struct kp_words words = {.text = slot->sentence, .size = sizeof slot->sentence};
    if (!call && !where[0])
        return self->error.status;
    kp_say(&words, "processor %d%s%s", self->number, call ? " called " : "", call ? call : "");
    kp_say(&words, where[0] ? " (%s): " : "%s: ", where);
    kp_say(&words, "%s", self->error.sentence);
    kp_end_sentence(&words);
    self->error = *slot;
    return self->error.status;
}

int kp_proc_set_error(kp_proc *self, const kp_error_record *error)
{
    self->error = *error;
    *kp_error_slot() = *error;
    return error->status;
}

/* Returns whether a member may be waiting for this processor, at a barrier or asleep until the
 * processor posts or takes a message. The answer need not be exact, because a member that waits
 * later reports the processor's end itself (tell_loss). */
static bool may_be_awaited(const kp_proc *self)
{
    for (const struct kp_shared *s = self->machine->groups; s; s = s->next) {
        if (kp_sync_is_awaited(s, self->number) && kp_rank_of(s, self->number) >= 0)
            return true;
    }
    return false;
}

/* Takes a snapshot if the end of a processor is to be reported now. An end that is a failure
 * (`fails`) is reported, unless the processor's error was reported before. Another end is reported
 * if a member waits for the processor. Otherwise the first member that waits later reports it. */
static void snapshot_end(kp_proc *self, bool fails, struct kp_snapshot *snapshot)
{
    bool lost = self->end.status == KP_ELOST;
    if (self->end_told || (fails ? self->error_told : !may_be_awaited(self)))
        return;
    kp_snapshot_take(snapshot, lost ? KP_DIAGNOSIS_LOST : KP_DIAGNOSIS_FAILED, &self->end,
                     self->number, -1);
    self->end_told = fails || kp_snapshot_awaits(snapshot, self->number);
    snapshot->taken = snapshot->taken && self->end_told;
}

/* Ends the processor. Members that wait for it get the error `told`. `root` is the error for the
 * run's report: `told` itself, or an earlier error that caused it. `root` NULL: the end is no
 * failure. */
static void end(kp_proc *self, const kp_error_record *told, const kp_error_record *root)
{
    struct kp_snapshot snapshot;
    kp_snapshot_begin(&snapshot, self->machine);
    if (root == told)
        self->error_told = false;
    if (!self->failed)
        self->end = *told;
    if (root)
        kp_first_failure(self->machine, root);
    atomic_store_explicit(&self->state, KP_PROC_ENDED, KP_ORDER_STATE);
    snapshot_end(self, root, &snapshot);
    /* If the program only passes on a reported error, this end does not replace that error. */
    fail_groups_of(self, &self->end, !root || self->error_told);
    kp_snapshot_end(&snapshot);
    kp_deadlock_many_parked(self->machine, 1);
}

static kp_error_record record(const kp_proc *self, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static kp_error_record record(const kp_proc *self, int status, const char *format, ...)
{
    kp_error_record made = KP_ERROR_OF(status, self->number);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(made.sentence, sizeof made.sentence, format, arguments);
    va_end(arguments);
    return made;
}

/* Adds to the sentence about a processor's end where its last call was, if that is known. The place
 * is that of the record, too. Next to the call in which another processor waits, this shows which
 * call was left out. If calls of the processor have failed, the latest error is likely to be why it
 * has ended, so the sentence has it, too. */
static kp_error_record after_last_call(const kp_proc *self, kp_error_record told)
{
    char where[KP_SITE_WORDS];
    const struct kp_site site = kp_site_of(self);
    struct kp_words words = {told.sentence, sizeof told.sentence, strlen(told.sentence), NULL};
    kp_site_name(site, where);
    kp_error_at(&told, site);
    if (where[0])
        kp_say(&words, " after its last call (%s)", where);
    if (self->error.status)
        kp_say(&words, "; its latest error: %s", self->error.sentence);
    kp_end_sentence(&words);
    return told;
}

/* Makes the record of a program that returns a status other than 0. `reason`: the error with this
 * status, or NULL. */
static kp_error_record returns(const kp_proc *self, int status, const kp_error_record *reason)
{
    const bool named = reason && kp_is_status(status); /* else it may be a number of its own */
    kp_error_record told =
        record(self, KP_EFAILED, "processor %d's program returned %d%s%s%s%s%.300s", self->number,
               status, named ? " (" : "", named ? kp_strerror(status) : "", named ? ")" : "",
               reason ? ": " : "", reason ? reason->sentence : "");
    if (!reason)
        return after_last_call(self, told);
    told.file = reason->file;
    told.line = reason->line;
    return told;
}

/* Returns whether the program returns the error of a call without a processor's handle, such as
 * kp_hints_parse: it is the thread's latest error, and not yet one of the processor. */
static bool returns_others_error(const kp_proc *self, int status)
{
    const kp_error_record *latest = kp_error_slot();
    return latest->status == status &&
           (self->error.status != status || strcmp(latest->sentence, self->error.sentence) != 0);
}

/* Ends the processor's use of kport, but not its program. All members of its groups get the
 * error. */
static void break_off(kp_proc *self)
{
    struct kp_snapshot snapshot;
    kp_snapshot_begin(&snapshot, self->machine);
    self->failed = self->unusual = true;
    self->end = self->error;
    kp_first_failure(self->machine, &self->error);
    kp_snapshot_take(&snapshot, KP_DIAGNOSIS_FAILED, &self->error, self->number, -1);
    self->end_told = true;
    fail_groups_of(self, &self->error, false);
    kp_snapshot_end(&snapshot);
}

/* Makes the error record of a processor that has left its call by a jump, perhaps out of a wait.
 * `does` says in words what the processor does now, which shows the jump. */
static kp_error_record left_by_jump(kp_proc *self, const char *does, const char *or_else)
{
    char where[240] = "";
    const struct kp_site site = kp_site_of(self);
    kp_deadlock_jumped(self);
    if (site.file)
        snprintf(where, sizeof where, " (%s:%d)", site.file, kp_site_line(site));
    kp_error_record made = record(self, KP_EFAILED,
                                  "processor %d %s although its call%s is not over: it has left "
                                  "that by longjmp or by a C++ exception%s",
                                  self->number, does, where, or_else);
    kp_error_at(&made, site);
    return made;
}

int kp_proc_jumped(kp_proc *self)
{
    *kp_error_slot() = left_by_jump(self, "calls kport", ", or calls from an operator");
    kp_proc_keep_error(self);
    atomic_store_explicit(&self->calling, KP_CALLS_NOTHING, KP_ORDER_NOTE);
    break_off(self);
    return KP_EFAILED;
}

void kp_proc_returned(kp_proc *self, int status)
{
    const int n = self->number;
    kp_error_record told;
    kp_progress_take(self);
    if (status == 0 && !kp_proc_is_inside(self) && kp_requests_left(self)) {
        told = *kp_error_slot();
        kp_proc_set_error(self, &told);
        end(self, &told, &told);
        return;
    }
    if (kp_proc_is_inside(self)) {
        told = left_by_jump(self, "has ended", "");
        end(self, &told, &told);
    } else if (status == 0) {
        told =
            after_last_call(self, record(self, KP_ELOST, "processor %d has ended its program", n));
        end(self, &told, NULL);
    } else if (status == self->error.status && !returns_others_error(self, status)) {
        told = returns(self, status, &self->error);
        end(self, &told, &self->error);
    } else {
        told = returns(self, status, returns_others_error(self, status) ? kp_error_slot() : NULL);
        kp_error_record root = told;
        root.status = kp_is_status(status) ? status : KP_EFAILED;
        self->error_told = false; /* the returned status is a new error */
        end(self, &told, &root);
    }
}

void kp_proc_detached(kp_proc *self)
{
    const kp_error_record told =
        after_last_call(self, record(self, KP_ELOST, "processor %d has detached", self->number));
    end(self, &told, NULL);
}

void kp_proc_vanished(kp_proc *self)
{
    kp_progress_take(self);
    const char *how = kp_machine_use_of(self->machine) == KP_USE_ATTACHED
                          ? "without kp_machine_detach"
                          : "(pthread_exit or cancellation)";
    const kp_error_record told =
        after_last_call(self, record(self, KP_ELOST, "processor %d is lost: its thread ended %s",
                                     self->number, how));
    end(self, &told, &told);
}

void kp_proc_overflowed(kp_proc *self)
{
    const kp_error_record told =
        record(self, KP_EFAILED,
               "processor %d has overflowed its stack of %zu bytes (found at a wait, by the "
               "pattern below the stack); it was not gone on with, and memory below, which may be "
               "the stack of processor %d, may be damaged",
               self->number, self->machine->config.stack_bytes, self->number - 1);
    end(self, &told, &told);
}

int kp_fail(kp_proc *self, const char *sentence)
{
    if (!self || self != kp_carried())
        return kp_refuse_proc(self);
    int status = kp_member_enter(self->world);
    if (status)
        return status;
    kp_set_error(KP_EFAILED, "processor %d: %s", self->number, sentence ? sentence : "no reason");
    kp_proc_keep_error(self);
    break_off(self);
    return kp_member_leave(self->world, KP_EFAILED);
}

/* Reports the end of a processor that ended without an error, because a member now waits for it. */
static void tell_loss(kp_group *member, int round, const kp_error_record *why)
{
    struct kp_snapshot snapshot;
    kp_proc *lost = &member->shared->machine->procs[why->processor];
    kp_snapshot_begin(&snapshot, lost->machine);
    snapshot.waiter = member;
    snapshot.awaited = why->processor;
    if (!lost->end_told) {
        lost->end_told = true;
        member->round = round;
        kp_snapshot_take(&snapshot, KP_DIAGNOSIS_LOST, why, lost->number, -1);
    }
    kp_snapshot_end(&snapshot);
}

/* Copies the sentence of a failure, without the words " in CALL" if it has them: a member that
 * meets the failure in the same call says them before. A deadlock's sentence says of each member
 * "; processor 1 in CALL"; the member leaves out its own clause. Returns whether it had the words.
 */
static bool copy_without(const kp_error_record *why, int own, const char *call,
                         char copy[KP_SENTENCE_BYTES])
{
    char words[300];
    if (why->status == KP_EDEADLOCK)
        snprintf(words, sizeof words, "; processor %d in %s", own, call);
    else
        snprintf(words, sizeof words, " in %s", call);
    memcpy(copy, why->sentence, KP_SENTENCE_BYTES);
    char *found = strstr(copy, words);
    const char *rest = found ? found + strlen(words) : NULL;
    if (found)
        memmove(found, rest, strlen(rest) + 1);
    return found != NULL;
}

/* Sets the error of a member that meets a failure in `call`, a text with the call's place. `when`
 * says how far the call has come. */
static int meet_failure(kp_group *member, const char *call, const char *when, int round,
                        const kp_error_record *why)
{
    const int own = member->self->number;
    char told[KP_SENTENCE_BYTES], waiter[40];
    const bool has_call = copy_without(why, own, call, told);
    snprintf(waiter, sizeof waiter, "processor %d waited ", own);
    /* The sentence of calls that differ says what the member has called, if it is one of the two.
     * That of a time limit begins with the processor that has waited, and has its call. */
    const bool says_call = why->status == KP_EMISMATCH
                               ? why->processor == own || why->peer == own
                               : has_call && strncmp(why->sentence, waiter, strlen(waiter)) == 0;
    int status = says_call
                     ? kp_set_error(why->status, "%s", why->sentence)
                     : kp_set_error(why->status, "processor %d in %s%s: %s", own, call, when, told);
    kp_error_record *slot = kp_error_slot();
    slot->processor = why->processor;
    slot->round = round;
    slot->peer = why->peer;
    status = kp_proc_keep_error(member->self);
    if (status == KP_ELOST && why->processor >= 0) /* untaken: a loss always names a processor */
        tell_loss(member, round, why);
    member->self->error_told = true;
    return status;
}

int kp_proc_meets_failure(kp_group *member, int round, const kp_error_record *why)
{
    char call[240], when[32] = ", at its end";
    kp_request_or_call_name(member, call, sizeof call);
    if (round >= 0)
        snprintf(when, sizeof when, ", round %d", round);
    if (kp_request_awaited_by(member)) /* its name says when */
        when[0] = '\0';
    return meet_failure(member, call, when, round, why);
}

int kp_request_meets_failure(const kp_request *request, const kp_error_record *why)
{
    char call[240];
    kp_request_name(request, call, sizeof call);
    return meet_failure(request->member, call, "", -1, why);
}
