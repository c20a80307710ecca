/* The functions of port.h: calls, episodes (uses of the group's barrier), lent memory, errors. */
#include "ports/port.h"

#include "ports/error.h"
#include "ports/fail/snapshot.h"
#include "ports/machine_data.h"
#include "ports/member.h"
#include "ports/request/progress.h"
#include "ports/sync/sync.h"
#include "ports/trace/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void kp_here(const char *file, int line)
{
    kp_proc *self = kp_self.carried;
    /* A processor that is already inside a call has left that call by longjmp or an exception, or a
     * reduction's operator calls kport. Its next error names the site of the unfinished call, so
     * this site must stay. */
    if (!self || kp_proc_is_inside(self))
        return;
    atomic_store_explicit(&self->file, file, KP_ORDER_NOTE);
    atomic_store_explicit(&self->line, line, KP_ORDER_NOTE);
    atomic_store_explicit(&self->calling, KP_CALL_PLACED, KP_ORDER_NOTE);
}

/* Until the rest is done, the processor is inside of its next call. */
void kp_proc_do_rest(kp_proc *self)
{
    kp_group *member = self->left;
    const unsigned char calling = atomic_load_explicit(&self->calling, KP_ORDER_NOTE);
    atomic_store_explicit(&self->calling, KP_CALL_INSIDE, KP_ORDER_NOTE);
    self->left = NULL;
    self->unusual = false;
    if (self->rest(member)) {
        member->has_late = true;
        member->late = self->error;
        kp_error_at(&member->late, member->published.started);
    }
    member->published.started.line = 0;
    atomic_store_explicit(&self->calling, calling, KP_ORDER_NOTE);
}

void kp_proc_come_back(kp_proc *self)
{
    if (self->left && self->machine->forks == kp_fork_count())
        kp_proc_do_rest(self);
}

int kp_port_late(kp_group *member)
{
    kp_error_record late = member->late;
    char where[KP_SITE_WORDS];
    const struct kp_site site = {.file = late.file, .line = late.line};
    kp_site_name(site, where);
    member->has_late = false;
    snprintf(late.sentence, sizeof late.sentence, "an earlier call%s%s has failed: %.380s",
             where[0] ? " at " : "", where, member->late.sentence);
    return kp_proc_set_error(member->self, &late);
}

int kp_port_admit(kp_group *member)
{
    kp_proc *self = kp_carried();
    int status = kp_member_look(member);
    if (status)
        return status;
    if (self->machine->forks == kp_fork_count() && kp_proc_is_inside(self))
        return kp_proc_jumped(self);
    kp_proc_come_back(self);
    if (self->machine->forks != kp_fork_count()) {
        kp_set_error(KP_EFAILED, "the machine belongs to the parent of this process; after a fork "
                                 "the child may make its own");
    } else if (self->failed || member->dead) {
        *kp_error_slot() = self->failed ? self->end : member->shared->failure;
        member->has_late = false; /* the same is told now */
    } else {
        kp_requests_at_call(self);
        return KP_OK;
    }
    if (kp_proc_take_site(self))
        atomic_store_explicit(&self->calling, KP_CALLS_NOTHING, KP_ORDER_NOTE);
    status = kp_proc_keep_error(self);
    self->error_told = true;
    return status;
}

bool kp_port_checks_buffers(const kp_group *member)
{
    return member->shared->machine->config.check_buffers;
}

void kp_port_take_requests(kp_group *member)
{
    kp_progress_take(member->self);
}

void kp_port_lend_requests(kp_group *member)
{
    kp_progress_lend(member->self);
}

void kp_port_hand_on(kp_group *member)
{
    atomic_store_explicit(&member->self->calling, KP_CALL_PLACED, KP_ORDER_NOTE);
}

void kp_port_open(kp_group *member, uint64_t fingerprint,
                  void (*describe)(const void *subject, char *text, size_t size),
                  const void *subject)
{
    member->published.plain = (struct kp_call){fingerprint, describe, subject};
    kp_member_open(member, &member->published.plain);
}

void kp_port_within(kp_group *member, bool within)
{
    member->within = within;
}

void kp_site_name(struct kp_site site, char where[KP_SITE_WORDS])
{
    const size_t length = site.file ? strlen(site.file) : 0;
    const size_t most = KP_SITE_WORDS - 24; /* the beginning of a longer path is cut */
    where[0] = '\0';
    if (length > most)
        snprintf(where, KP_SITE_WORDS, "...%s:%d", site.file + length - most, kp_site_line(site));
    else if (site.file)
        snprintf(where, KP_SITE_WORDS, "%s:%d", site.file, kp_site_line(site));
}

struct kp_site kp_call_site(const kp_group *member)
{
    const struct kp_published *published = &member->published;
    return member->shared->lane_of || kp_member_was_left(member)
               ? published->started
               : kp_site_of(kp_member_carrier(member));
}

void kp_port_say_place(const kp_group *member, int rank, struct kp_words *words)
{
    char where[KP_SITE_WORDS] = "";
    if (!kp_is_wired(member) || rank == member->rank)
        kp_site_name(kp_call_site(&member->shared->members[rank]), where);
    kp_say(words, "%s%s", where[0] ? ", " : "", where);
}

void kp_call_where(const kp_group *member, char where[KP_WHERE_WORDS])
{
    char place[KP_SITE_WORDS];
    kp_site_name(kp_call_site(member), place);
    const bool left = kp_member_was_left(member);
    if (place[0])
        snprintf(where, KP_WHERE_WORDS, " (%s%s)", place, left ? ", left early" : "");
    else
        snprintf(where, KP_WHERE_WORDS, left ? " (started earlier)" : "");
}

void kp_call_as_written(const kp_machine *machine, struct kp_site site, char *text, size_t size)
{
    if (site.file && (site.line & KP_BY_MPI_NAME))
        machine->config.use_mpi_name(text, size);
}

void kp_call_words(const kp_group *member, char *text, size_t size)
{
    const struct kp_call *call = member->published.call;
    text[0] = '\0';
    if (call->describe) /* untaken: every call has a description */
        call->describe(call->subject, text, size);
    kp_call_as_written(member->shared->machine, kp_call_site(member), text, size);
}

void kp_call_name(const kp_group *member, char *text, size_t size)
{
    char where[KP_WHERE_WORDS];
    kp_call_where(member, where);
    /* If the text is too long, the end of the description is cut. */
    size_t room = size > strlen(where) ? size - strlen(where) : 0; /* untaken: texts have room */
    kp_call_words(member, text, room);
    size_t length = strlen(text);
    if (length + 1 >= room && room > 4) /* untaken: texts have room */
        memcpy(text + room - 4, "...", sizeof "...");
    snprintf(text + strlen(text), size - strlen(text), "%s", where);
}

/* Reports to on_failure that the members' calls differ or that a member refused its call. Only the
 * first member that gets here makes the report. */
static void tell_split(kp_group *member, const kp_error_record *why)
{
    struct kp_shared *shared = member->shared;
    struct kp_snapshot snapshot;
    bool differ = why->status == KP_EMISMATCH;
    kp_snapshot_begin(&snapshot, shared->machine);
    snapshot.meeting = shared;
    if (shared->told != member->episodes) {
        shared->told = member->episodes;
        kp_snapshot_take(&snapshot, differ ? KP_DIAGNOSIS_MISMATCH : KP_DIAGNOSIS_REFUSED, why,
                         why->processor, differ ? why->peer : -1);
    }
    kp_snapshot_end(&snapshot);
}

kp_error_record kp_port_refusal(const kp_group *member, const kp_error_record *error, int round)
{
    kp_error_record why = *error;
    char call[160];
    kp_call_name(member, call, sizeof call);
    why.round = round;
    /* KP_EMISMATCH stays as it is: a difference between members' arguments concerns all members,
     * and its sentence names them. */
    if (error->status == KP_EMISMATCH)
        return why;
    why.status = KP_EPEER;
    snprintf(why.sentence, sizeof why.sentence, "processor %d could not take part in %s: %.300s",
             kp_member_processor(member, member->rank), call, error->sentence);
    return why;
}

void kp_port_tell_refused(kp_group *member)
{
    kp_error_record own = member->self->error;
    const bool argument = own.status == KP_EARGUMENT || own.status == KP_EALGORITHM ||
                          own.status == KP_EPROBLEM || own.status == KP_EUNSERVED ||
                          own.status == KP_EPORT;
    if (!argument)
        return;
    const kp_error_record told = kp_port_refusal(member, &own, -1);
    memcpy(own.sentence, told.sentence, sizeof own.sentence);
    (void)kp_proc_set_error(member->self, &own);
}

/* Sets this member's error after the member with rank `rank` has refused its call. */
static int report_refusal(kp_group *member, int rank, int round)
{
    const kp_group *other = &member->shared->members[rank];
    kp_error_record why = kp_port_refusal(other, other->published.refused, round);
    if (other != member) {
        *kp_error_slot() = why;
        kp_proc_keep_error(member->self);
    }
    tell_split(member, &why);
    member->self->error_told = true;
    return other != member ? why.status : other->published.refused->status;
}

static void report_calls(kp_group *member, int other, int round)
{
    char here_text[220], there[220];
    kp_call_name(member, here_text, sizeof here_text);
    kp_call_name(&member->shared->members[other], there, sizeof there);
    kp_port_error(member, KP_EMISMATCH, round, -1, other,
                  "processor %d called %s, processor %d called %s", member->self->number, here_text,
                  member->shared->processors[other], there);
}

/* Sets this member's error after an episode in which calls differ or a member refused its call. No
 * member goes on before the next episode, so this member can read the others' descriptions. */
static int report_split(kp_group *member, int round)
{
    const struct kp_shared *shared = member->shared;
    if (member->published.refused)
        return report_refusal(member, member->rank, round);
    int i = 0;
    while (i < shared->size && !shared->members[i].published.refused &&
           shared->members[i].published.call->fingerprint == member->published.call->fingerprint)
        i++;
    if (i < shared->size && shared->members[i].published.refused)
        return report_refusal(member, i, round);
    if (i < shared->size)
        report_calls(member, i, round);
    else
        (void)member->tell_difference(member);
    tell_split(member, &member->self->error);
    member->self->error_told = true;
    return KP_EMISMATCH;
}

/* Handles a member whose time limit has passed. Makes the barrier fail for all members, unless the
 * episode has happened meanwhile. */
static enum kp_episode_result give_up(kp_group *member)
{
    struct kp_shared *shared = member->shared;
    kp_machine *machine = shared->machine;
    struct kp_snapshot snapshot;
    char names[300] = "", call[160];
    struct kp_words missing = {.text = names, .size = sizeof names};
    kp_call_name(member, call, sizeof call);
    kp_snapshot_begin_late(&snapshot, member, -1);
    /* If `late` becomes false, all missing members wait for messages, and so wait in a cycle. */
    bool late = kp_deadlock_missing(member, 0, true) >= 0;
    kp_deadlock_say_missing(member, late, &missing);
    const int first = kp_deadlock_missing(member, 0, late);
    const bool several = first >= 0 && kp_deadlock_missing(member, first + 1, late) >= 0;
    if (first >= 0 && !several) /* seldom taken: the group goes on meanwhile */
        kp_deadlock_say_outside(machine, kp_member_processor(member, first), &missing);
    kp_set_error(KP_ETIMEOUT, "processor %d waited %u ms in %s for processor%s %s",
                 member->self->number, machine->config.time_limit_ms, call, several ? "s" : "",
                 names);
    kp_error_slot()->processor = kp_member_processor(member, first);
    kp_error_at(kp_error_slot(), kp_call_site(member));
    kp_snapshot_take(&snapshot, KP_DIAGNOSIS_LATE, kp_error_slot(), -1, -1);
    kp_snapshot_concerns_missing(&snapshot, member, late);
    bool failed_before = shared->failed;
    bool dead = kp_fail_group_unless_moved(member, kp_error_slot());
    if (dead) /* seldom taken: the group goes on meanwhile */
        kp_first_failure(machine, kp_error_slot());
    /* seldom taken: the group goes on meanwhile */
    snapshot.taken = snapshot.taken && dead && !failed_before;
    kp_snapshot_end(&snapshot);
    /* seldom taken: the group goes on meanwhile */
    return dead ? KP_EPISODE_FAILED : kp_sync_await(member);
}

/* The time limit is meant for members that never make the call, so it counts only in the call's
 * first episode. After that, all members have come to the call and will arrive. A member that gave
 * up then would return while others read the memory that it has lent. */
static enum kp_episode_result await_in_time(kp_group *member)
{
    member->waiter.limit_ms = member->opening ? member->shared->machine->config.time_limit_ms : 0;
    member->opening = false;
    enum kp_episode_result result = kp_sync_await(member);
    return result == KP_EPISODE_LATE ? give_up(member) : result;
}

/* Ends a call whose first episode has shown that calls differ. The group stays usable. */
static int split(kp_group *member, int round)
{
    int status = report_split(member, round);
    if (member->exchanged)
        kp_exchange_forget(member);
    if (kp_is_wired(member) && kp_member_is_lane(member))
        return status; /* a lane does not wait, and no other member reads this one's memory */
    /* Other members may read this member's description until all arrive at one more episode. If
     * that episode fails, the next call reports it, because this call already has an error. */
    kp_sync_arrive(member, member->sync, 0, 0);
    if (await_in_time(member) == KP_EPISODE_FAILED) /* seldom taken: the group fails meanwhile */
        member->dead = true;
    return status;
}

/* This function leaves the eager buffers alone. A slower member may still read the round before. */
int kp_port_failed(kp_group *member, int round, const kp_error_record *why)
{
    member->dead = true;
    if (member->exchanged)
        kp_exchange_forget(member);
    return kp_proc_meets_failure(member, round, why);
}

int kp_port_await(kp_group *member, int round)
{
    if (member->shared->size == 1)
        return KP_OK;
    member->round = round;
    member->port = -1;
    member->since = 0;
    enum kp_episode_result result = await_in_time(member);
    if (result == KP_EPISODE_FAILED)
        return kp_port_failed(member, round, &member->shared->failure);
    if (member->exchanged)
        kp_exchange_settle(member);
    return result == KP_EPISODE_SPLIT ? split(member, round) : KP_OK;
}

int kp_port_episode(kp_group *member, int round)
{
    kp_member_arrive(member);
    return kp_port_await(member, round);
}

int kp_port_meet(kp_group *member, int round)
{
    int status = kp_port_episode(member, round);
    if (member->trace)
        kp_trace_round(member, KP_TRACE_CLOSE, round, status ? KP_TRACE_FAILED : 0);
    return status;
}

void kp_port_tell_begin(kp_group *member, const struct kp_telling *own)
{
    kp_port_publish(member, KP_PORT_TELLING, own);
    kp_member_arrive(member);
    if (kp_is_wired(member))
        kp_wired_tell_then(member, own, KP_PORT_TELLING);
}

int kp_port_tell(kp_group *member, const struct kp_telling *own, int round)
{
    kp_port_publish(member, KP_PORT_TELLING, own);
    int status = kp_port_meet(member, round);
    return !status && kp_is_wired(member) ? kp_wired_tell(member, own, KP_PORT_TELLING) : status;
}

struct kp_telling *kp_port_told(const kp_group *member, int rank)
{
    return (void *)(uintptr_t)member->shared->members[rank].published.bases[KP_PORT_TELLING];
}

const void *kp_port_told_beside(const kp_group *member, int rank)
{
    const struct kp_telling *told = kp_port_told(member, rank);
    return told->each + (size_t)member->rank * told->stride;
}

int kp_port_refuse(kp_group *member, void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject)
{
    kp_error_record why = member->self->error;
    kp_port_open(member, KP_REFUSED, describe, subject);
    if (member->shared->size > 1) {
        member->published.refused = &why;
        /* This store needs no order, because the member arrives before the calls are compared. */
        atomic_store_explicit(&member->shared->invalid, member->episodes + 1,
                              KP_ORDER_WITHIN_EPISODE);
        (void)kp_port_episode(member, 0);
        member->published.refused = NULL;
        (void)kp_proc_set_error(member->self, &why);
    }
    kp_port_tell_refused(member);
    return why.status;
}

void kp_port_lend(kp_group *member)
{
    if (kp_is_wired(member))
        return; /* over a wire no member reads another's memory */
    atomic_store_explicit(&member->shared->lent, member->episodes + 1, KP_ORDER_WITHIN_EPISODE);
}

void kp_port_lend_all(kp_group *member)
{
    member->lent = member->episodes + 1;
}

int kp_port_finish(kp_group *member)
{
    if (!kp_member_has_readers(member))
        return KP_OK;
    if (member->trace)
        return kp_port_meet(member, -1);
    kp_member_arrive(member);
    return kp_member_await(member, -1);
}

int kp_port_close(kp_group *member)
{
    int status = kp_port_finish(member);
    if (status) /* seldom taken: the group fails meanwhile */
        return status;
    return member->exchanged ? kp_exchange_left(member) : KP_OK;
}

void kp_port_publish(kp_group *member, int space, const void *base)
{
    if (member->published.bases[space] != base)
        member->published.bases[space] = base;
}

void kp_port_publish_work(kp_group *member, const void *work)
{
    if (member->published.work != work)
        member->published.work = work;
}

bool kp_port_packs(const kp_group *member, size_t longest, size_t all)
{
    const struct kp_shared *shared = member->shared;
    return longest <= shared->buffer_bytes || (longest == all && longest <= shared->long_bytes);
}

void kp_port_offer_longest(kp_group *member, uint64_t bytes)
{
    kp_episode_offer_longest(member->shared, member->episodes + 1, bytes);
}

bool kp_port_longest(const kp_group *member, uint64_t *bytes)
{
    uint64_t longest = kp_episode_longest(member->shared, member->episodes);
    *bytes = longest > 0 ? longest - 1 : 0;
    return longest > 0;
}

uint64_t kp_port_tell_longest(kp_group *member, uint64_t bytes)
{
    uint64_t heard;
    if (kp_is_wired(member))
        return bytes;
    (void)kp_port_longest(member, &heard);
    if (bytes > 0)
        kp_port_offer_longest(member, bytes);
    return heard;
}

int kp_port_error_about(kp_group *member, int status, int processor, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kp_set_error_of(status, format, arguments);
    va_end(arguments);
    kp_error_slot()->processor = processor;
    return kp_proc_keep_error(member->self);
}

int kp_port_error(kp_group *member, int status, int round, int port, int peer, const char *format,
                  ...)
{
    va_list arguments;
    va_start(arguments, format);
    kp_set_error_of(status, format, arguments);
    va_end(arguments);
    kp_error_record *slot = kp_error_slot();
    slot->round = round;
    slot->port = port;
    slot->peer = kp_member_processor(member, peer);
    return kp_proc_keep_error(member->self);
}

kp_group *kp_port_member_at(kp_machine *machine, int rank)
{
    return &machine->world->members[rank];
}

const char *kp_port_sync_name(const kp_group *member)
{
    static const char *const names[KP_SYNCS] = {[KP_SYNC_COUNTER] = "counter",
                                                [KP_SYNC_CORE_SETS] = "core sets",
                                                [KP_SYNC_WORKER_SETS] = "worker sets",
                                                [KP_SYNC_PAIR] = "pair",
                                                [KP_SYNC_ALONE] = "alone",
                                                [KP_SYNC_WIRED] = "wire"};
    return names[member->sync];
}

enum kp_buffer_kind kp_port_buffer_kind(const kp_group *member, size_t bytes)
{
    const struct kp_shared *shared = member->shared;
    if (bytes < shared->near_end)
        return KP_BUFFER_BESIDE;
    return kp_eager_kind(shared, bytes) == &shared->eager[KP_EAGER_LONG] ? KP_BUFFER_LONG
                                                                         : KP_BUFFER_USUAL;
}

struct kp_attachment *kp_port_machine_attachment(kp_machine *machine)
{
    return &machine->attachment;
}

struct kp_attachment *kp_port_member_attachment(kp_group *member)
{
    return &member->attachment;
}

int kp_port_say_caller(kp_group *member)
{
    return kp_proc_say_call(member->self, NULL);
}

int kp_port_keep_error(kp_group *member)
{
    return kp_proc_keep_error(member->self);
}

int kp_port_status(const kp_group *member)
{
    return member->self->error.status;
}

kp_machine *kp_port_machine(const kp_group *member)
{
    return member->shared->machine;
}
