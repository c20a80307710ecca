/* Rounds that members synchronise by mailboxes (mail.h): waiting for messages and for empty boxes,
 * posting, and waking.
 *
 * A member wakes only members that sleep for it. A member that is about to sleep until another
 * member posts or takes a message counts itself in that member's `awaited`. Each member looks at
 * its own `awaited` before it waits and at the end of a call. One look serves all messages that it
 * has posted or taken since the last look. */
#include "ports/sync/mail.h"

#include "ports/error.h"
#include "ports/fail/snapshot.h"
#include "ports/member.h"
#include "ports/request/request.h"
#include "ports/sync/mail_data.h"
#include "ports/trace/trace.h"
#include "ports/without.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINKS_AT_MOST 8 /* the most waits of a chain that an error sentence names */

bool kp_mail_keeps(const kp_group *member)
{
    return member->mail != NULL;
}

/* --- Waiting --- */

static bool is_broken(const struct kp_shared *shared)
{
    return kp_is_broken(&shared->broken);
}

/* Wakes the members that sleep until this member acts, after it has posted or taken messages. */
static void announce(kp_group *member)
{
    if (!kp_is_awaited(&member->mail->awaited))
        return;
    struct kp_shared *shared = member->shared;
    for (int i = 0; i < shared->size; i++) {
        struct kp_mail *other = shared->members[i].mail;
        if (kp_waits_for(&other->awaited) == member->rank)
            kp_ring(&kp_member_carrier(&shared->members[i])->bell);
    }
}

static void ring_all(struct kp_shared *shared)
{
    for (int i = 0; i < shared->size; i++)
        kp_ring(&kp_member_carrier(&shared->members[i])->bell);
}

void kp_mail_break(struct kp_shared *shared, const kp_error_record *why)
{
    if (!shared->mails || is_broken(shared))
        return;
    shared->break_reason = *why;
    kp_break(&shared->broken);
    ring_all(shared);
}

/* Notes that the member with rank `rank` posts and takes no more messages. */
static void leave(struct kp_shared *shared, int rank, const kp_error_record *why)
{
    struct kp_mail *mail = shared->members[rank].mail;
    if (atomic_load_explicit(&mail->gone, KP_ORDER_OBSERVE) != 0)
        return;
    mail->why = *why;
    /* The store is a release of the reason, and of all that the member has posted or taken
     * (partner: is_ready). */
    atomic_store_explicit(&mail->gone, 1, KP_ORDER_PUBLISH);
    ring_all(shared);
}

void kp_mail_leave(struct kp_shared *shared, int processor, const kp_error_record *why)
{
    if (shared->mails)
        leave(shared, kp_rank_of(shared, processor), why);
}

void kp_mail_stop_reading(struct kp_shared *shared, int processor)
{
    if (!shared->mails)
        return;
    struct kp_mail *mail = shared->members[kp_rank_of(shared, processor)].mail;
    if (!kp_is_reading(&mail->reading)) /* seldom taken: the processor ends while it reads */
        return;
    (void)kp_reading_end(&mail->reading, &shared->broken);
    ring_all(shared);
}

int kp_mail_awaited(const kp_group *member)
{
    return member->mail ? atomic_load_explicit(&member->mail->wants_of, KP_ORDER_NOTE) : KP_NOBODY;
}

int kp_mail_still_awaited(const kp_group *member)
{
    int rank = kp_mail_awaited(member);
    if (rank < 0)
        return KP_NOBODY;
    const struct kp_mailbox *box = atomic_load_explicit(&member->mail->wants, KP_ORDER_NOTE);
    uint32_t wanted = atomic_load_explicit(&member->mail->wanted, KP_ORDER_NOTE);
    return kp_mailbox_holds(box, wanted) ? KP_NOBODY : rank; /* seldom taken: posted meanwhile */
}

bool kp_mail_is_awaited(const struct kp_shared *shared, int processor)
{
    int rank = kp_rank_of(shared, processor);
    return rank >= 0 &&
           atomic_load_explicit(&shared->members[rank].mail->awaited.count, KP_ORDER_NOTE) != 0;
}

/* What a waiting member looks at: a box, the number that it waits for there, and the other
 * member. */
struct look {
    const struct kp_mailbox *box;
    uint32_t wanted;
    const struct kp_shared *shared;
    const struct kp_mail *peer;
};

static bool is_ready(const void *context)
{
    const struct look *look = context;
    return kp_mailbox_holds(look->box, look->wanted) || is_broken(look->shared) ||
           atomic_load_explicit(&look->peer->gone, KP_ORDER_OBSERVE) != 0;
}

static bool nobody_reads(const void *context)
{
    const struct kp_shared *shared = context;
    for (int i = 0; i < shared->size; i++) {
        if (kp_is_reading(&shared->members[i].mail->reading)) /* seldom taken: one still reads */
            return false;
    }
    return true;
}

static int report_mismatch(kp_group *member, int rank, int port, int round);

/* Returns whether the member waits for one that has ended, after it has called something else. Of
 * such a member nobody changes the history any more. */
static bool lost_by_mismatch(const kp_group *member)
{
    const struct kp_mail *peer = member->shared->members[member->mail->peer].mail;
    char text[KP_SENTENCE_BYTES];
    struct kp_words words = {.text = text, .size = sizeof text};
    struct kp_site site;
    return !is_broken(member->shared) && atomic_load_explicit(&peer->gone, KP_ORDER_OBSERVE) != 0 &&
           peer->why.status == KP_ELOST &&
           kp_mail_say_difference(member, member->mail->peer, &words, &site);
}

/* Ends the call with an error. If this member has lent memory, other members may be reading it.
 * Then this member breaks the group, so that no member begins to read, and waits until no member
 * reads. */
static int fail(kp_group *member, int round)
{
    struct kp_shared *shared = member->shared;
    struct kp_mail *mail = member->mail;
    const kp_error_record *why =
        is_broken(shared) ? &shared->break_reason : &shared->members[mail->peer].mail->why;
    struct kp_waiter quiet = {.yields = member->waiter.yields,
                              .longer_us = member->waiter.longer_us};
    /* Receivers can still take the messages that this member has sent. Members that wait for
     * further messages of this member now learn that there will be none. */
    pthread_mutex_lock(&shared->machine->lock);
    leave(shared, member->rank, why);
    if (mail->lent >= 0)
        kp_mail_break(shared, why);
    pthread_mutex_unlock(&shared->machine->lock);
    if (mail->lent >= 0) {
        (void)kp_wait_until(&member->self->bell, nobody_reads, shared, &quiet);
    }
    return kp_port_failed(member, round, why);
}

/* Makes the group fail with the error that is set. If the group had not failed before, takes a
 * snapshot for the diagnosis. The caller holds the machine's lock. */
static void snapshot_failure(kp_group *member, kp_diagnosis_kind kind, int about, int other,
                             struct kp_snapshot *snapshot)
{
    if (!is_broken(member->shared))
        kp_snapshot_take(snapshot, kind, kp_error_slot(), about, other);
    kp_sync_fail(member->shared, kp_error_slot());
}

/* Returns the rank of the member for which the member with rank `rank` waits in this group, or
 * KP_NOBODY. The result may be out of date. If that member has arrived at more episodes than
 * `member`, it waits at the barrier for all members, so also for `member`. */
static int awaited_by(const kp_group *member, int rank)
{
    const struct kp_group *other = &member->shared->members[rank];
    uint64_t episodes = atomic_load_explicit(&other->published.episodes, KP_ORDER_WITHIN_EPISODE);
    /* seldom taken: the other member is an episode ahead */
    return episodes > member->episodes ? member->rank : kp_mail_still_awaited(other);
}

/* `member` waits for the member with rank `rank`, which may itself wait. Follows the waits from
 * each member to the member that it waits for. The first member that does not wait is late, and its
 * rank is returned. If the waits form a cycle, `rank` is returned. If there are several waits,
 * `links` gets them in words. The caller holds the machine's lock, as every member does that gives
 * up. Other members may go on meanwhile. */
static int find_late(const kp_group *member, int rank, char *links, size_t size)
{
    const struct kp_shared *shared = member->shared;
    kp_proc *procs = shared->machine->procs;
    int from = member->rank, at = rank, count = 0;
    size_t length = 0;
    for (int i = 0; i < shared->size; i++)
        procs[shared->processors[i]].mark = 0;
    while (at >= 0 && !procs[shared->processors[from]].mark) {
        if (count++ < LINKS_AT_MOST) /* seldom taken: only if many members wait in a chain */
            length += (size_t)snprintf(links + length, size - length, "%s %d waits for %d",
                                       count > 1 ? "," : ":", shared->processors[from],
                                       shared->processors[at]);
        else if (count == LINKS_AT_MOST + 1)
            snprintf(links + length, size - length, ", and so on");
        procs[shared->processors[from]].mark = 1;
        from = at;
        at = awaited_by(member, from);
    }
    if (count == 1)
        links[0] = '\0';
    return at < 0 ? from : rank;
}

static void give_up(kp_group *member, int rank)
{
    kp_machine *machine = member->shared->machine;
    struct kp_snapshot snapshot;
    char call[240], links[LINKS_AT_MOST * 40];
    kp_request_or_call_name(member, call, sizeof call);
    kp_snapshot_begin_late(&snapshot, member, kp_member_processor(member, rank));
    int late = kp_member_processor(member, find_late(member, rank, links, sizeof links));
    struct kp_words words = {.text = links, .size = sizeof links};
    if (!links[0])
        kp_deadlock_say_outside(machine, late, &words);
    kp_set_error(KP_ETIMEOUT, "processor %d waited %u ms in %s for processor %d%s",
                 member->self->number, machine->config.time_limit_ms, call, late, links);
    kp_error_slot()->processor = late;
    kp_error_at(kp_error_slot(), kp_site_of(member->self));
    kp_first_failure(machine, kp_error_slot());
    snapshot_failure(member, KP_DIAGNOSIS_LATE, late, -1, &snapshot);
    kp_snapshot_end(&snapshot);
}

static int wait_for(kp_group *member, const struct kp_mailbox *box, uint32_t wanted, int rank,
                    int port, int round)
{
    member->round = round;
    member->port = port;
    member->since = 0;
    struct kp_mail *mail = member->mail;
    struct look look = {box, wanted, member->shared, member->shared->members[rank].mail};
    announce(member);
    kp_point();
    mail->peer = rank;
    mail->waiter.limit_ms = member->shared->machine->config.time_limit_ms;
    uint64_t begin = member->trace ? kp_trace_now(member) : 0;
    atomic_store_explicit(&mail->wants, box, KP_ORDER_NOTE);
    atomic_store_explicit(&mail->wanted, wanted, KP_ORDER_NOTE);
    atomic_store_explicit(&mail->wants_of, rank, KP_ORDER_NOTE);
    bool in_time =
        kp_requests_go_on(member)
            ? kp_request_wait_beside(member, is_ready, &look, NULL, mail->waiter.limit_ms)
            : kp_wait_until(&member->self->bell, is_ready, &look, &mail->waiter);
    if (!in_time)
        give_up(member, rank);
    atomic_store_explicit(&mail->wants_of, KP_NOBODY, KP_ORDER_NOTE);
    if (member->trace)
        kp_trace_wait(member, begin, round);
    if (kp_mailbox_holds(box, wanted))
        return KP_OK;
    return lost_by_mismatch(member) ? report_mismatch(member, rank, port, round)
                                    : fail(member, round);
}

/* --- Calls and rounds --- */

int kp_mail_open(kp_group *member, const struct kp_call *call, const struct kp_past *past)
{
    kp_member_open(member, call);
    kp_history_note(&member->mail->history, call, kp_site_of(member->self), past);
    member->mail->mark = kp_hash(member->mail->mark, call->fingerprint);
    return is_broken(member->shared) ? fail(member, 0) : KP_OK;
}

int kp_mail_refuse(kp_group *member, void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject)
{
    kp_error_record why = member->self->error;
    struct kp_snapshot snapshot;
    kp_port_open(member, KP_REFUSED, describe, subject);
    if (member->shared->size == 1) {
        kp_port_tell_refused(member);
        return why.status;
    }
    kp_snapshot_begin(&snapshot, member->shared->machine);
    *kp_error_slot() = kp_port_refusal(member, &why, -1);
    snapshot_failure(member, KP_DIAGNOSIS_REFUSED, member->self->number, -1, &snapshot);
    kp_snapshot_end(&snapshot);
    member->dead = true;
    member->self->error_told = true;
    (void)kp_proc_set_error(member->self, &why);
    kp_port_tell_refused(member);
    return why.status;
}

static int generation(const kp_group *member)
{
    return (int)(member->mail->number & (uint32_t)(member->shared->generations - 1));
}

void kp_mail_next(kp_group *member)
{
    struct kp_mail *mail = member->mail;
    if (++mail->number == 0)
        mail->number = 1;
}

static struct kp_mailbox *boxes_of_generation(const kp_group *member, int generation)
{
    return member->mail->boxes + (size_t)generation * (size_t)member->shared->ports;
}

/* Waits until receivers have taken all messages that this member sent in a generation of boxes. */
static int empty(kp_group *member, int generation, int round)
{
    struct kp_mail *mail = member->mail;
    const struct kp_mailbox *boxes = boxes_of_generation(member, generation);
    for (int port = 0; port < mail->used[generation]; port++) {
        int status = kp_mailbox_is_empty(&boxes[port])
                         ? KP_OK
                         : wait_for(member, &boxes[port], 0, boxes[port].to, port, round);
        if (status)
            return status;
    }
    mail->used[generation] = 0;
    return KP_OK;
}

int kp_mail_make_room(kp_group *member, int round)
{
    return empty(member, generation(member), round);
}

struct kp_mailbox *kp_mail_box(kp_group *member, int port)
{
    return boxes_of_generation(member, generation(member)) + port;
}

bool kp_mail_is_long(const kp_group *member, size_t bytes)
{
    return bytes > member->shared->buffer_bytes;
}

bool kp_mail_packs(const kp_group *member, size_t longest, size_t all)
{
    return !kp_mail_is_long(member, longest) ||
           (longest == all && longest <= member->shared->mail_long_bytes);
}

int kp_mail_reserve(kp_group *member)
{
    const struct kp_shared *shared = member->shared;
    size_t buffers = (size_t)shared->generations, bytes = shared->mail_long_bytes;
    /* untaken: the callers refuse such sizes */
    if (!member->mail->long_buffers && bytes <= SIZE_MAX / buffers)
        member->mail->long_buffers = malloc(buffers * bytes);
    /* seldom taken: threads ask for memory in any order */
    return member->mail->long_buffers
               ? KP_OK
               : kp_port_error(member, KP_EMEMORY, -1, -1, -1,
                               "no memory for %zu buffers of %zu bytes, which "
                               "messages are packed into",
                               buffers, bytes);
}

static char *buffer_of(const kp_group *member, const struct kp_mail *mail, size_t bytes)
{
    const struct kp_shared *shared = member->shared;
    bool is_long = kp_mail_is_long(member, bytes);
    size_t stride = is_long ? shared->mail_long_bytes : shared->buffer_bytes;
    return (is_long ? mail->long_buffers : mail->buffers) + (size_t)generation(member) * stride;
}

char *kp_mail_buffer(kp_group *member, size_t bytes)
{
    return buffer_of(member, member->mail, bytes);
}

const char *kp_mail_buffer_of(const kp_group *member, int rank, size_t bytes)
{
    return buffer_of(member, member->shared->members[rank].mail, bytes);
}

void kp_mail_post(kp_group *member, int port, int peer)
{
    struct kp_mail *mail = member->mail;
    struct kp_mailbox *box = kp_mail_box(member, port);
    int *used = &mail->used[generation(member)];
    *used = port < *used ? *used : port + 1; /* untaken: a round posts by ascending ports */
    box->to = peer;
    box->mark = mail->mark;
    kp_mailbox_post(box, mail->number);
}

void kp_mail_lend(kp_group *member)
{
    member->mail->lent = generation(member);
}

int kp_mail_cover(kp_group *member, int round)
{
    struct kp_mail *mail = member->mail;
    int status = mail->lent < 0 ? KP_OK : empty(member, mail->lent, round);
    mail->lent = -1;
    return status;
}

uint64_t kp_mail_calls(const kp_group *member)
{
    return atomic_load_explicit(&member->mail->history.calls, KP_ORDER_INSPECT);
}

bool kp_mail_say_difference(const kp_group *member, int rank, struct kp_words *words,
                            struct kp_site *site)
{
    const kp_group *other = &member->shared->members[rank];
    return kp_history_say_difference(
        member->shared->machine, &member->mail->history, kp_member_processor(member, member->rank),
        &other->mail->history, kp_member_processor(member, rank), words, site);
}

bool kp_mail_differs(const struct kp_shared *shared)
{
    char text[KP_SENTENCE_BYTES];
    struct kp_words words = {.text = text, .size = sizeof text};
    struct kp_site site;
    for (int i = 1; shared->mails && !is_broken(shared) && i < shared->size; i++) {
        const struct kp_group *first = &shared->members[0], *other = &shared->members[i];
        if (other->mail->mark == first->mail->mark ||
            !kp_mail_say_difference(first, other->rank, &words, &site))
            continue;
        kp_set_error(KP_EMISMATCH, "%s", text);
        kp_error_at(kp_error_slot(), site);
        kp_error_slot()->processor = shared->processors[0];
        kp_error_slot()->peer = shared->processors[i];
        return true;
    }
    return false;
}

/* Reports that the message in the box from the member with rank `rank` belongs to another call. */
static int report_mismatch(kp_group *member, int rank, int port, int round)
{
    struct kp_snapshot snapshot;
    char call[160], text[KP_SENTENCE_BYTES];
    struct kp_words words = {.text = text, .size = sizeof text};
    struct kp_site site;
    kp_call_name(member, call, sizeof call);
    if (!kp_mail_say_difference(member, rank, &words, &site))
        kp_say(&words,
               "processor %d called %s, and what processor %d sent it in that round belongs to "
               "another call or comes after one",
               member->self->number, call, kp_member_processor(member, rank));
    int status = kp_port_error(member, KP_EMISMATCH, round, port, rank, "%s", text);
    kp_snapshot_begin(&snapshot, member->shared->machine);
    snapshot_failure(member, KP_DIAGNOSIS_MISMATCH, member->self->number,
                     kp_member_processor(member, rank), &snapshot);
    kp_snapshot_end(&snapshot);
    (void)fail(member, round);
    return status;
}

int kp_mail_await(kp_group *member, int rank, int port, int round, struct kp_mailbox **box)
{
    struct kp_mail *mail = member->mail;
    *box = member->shared->members[rank].mail->boxes +
           (size_t)generation(member) * (size_t)member->shared->ports + port;
    if (!kp_mailbox_holds(*box, mail->number)) {
        int status = wait_for(member, *box, mail->number, rank, port, round);
        if (status)
            return status;
    }
    return (*box)->mark == mail->mark ? KP_OK : report_mismatch(member, rank, port, round);
}

int kp_mail_begin_reading(kp_group *member, int round)
{
    if (kp_reading_begin(&member->mail->reading, &member->shared->broken))
        return KP_OK;
    kp_mail_end_reading(member);
    return fail(member, round);
}

void kp_mail_end_reading(kp_group *member)
{
    if (kp_reading_end(&member->mail->reading, &member->shared->broken))
        ring_all(member->shared);
}

void kp_mail_take(struct kp_mailbox *box)
{
    kp_mailbox_release(box);
}

/* --- For a member that does not wait --- */

/* Returns whether a wait for a generation of boxes to be empty would end at once. A failure also
 * ends such a wait, and so does the end of a receiver. */
static bool is_emptied(const kp_group *member, int generation)
{
    const struct kp_shared *shared = member->shared;
    const struct kp_mailbox *boxes = boxes_of_generation(member, generation);
    for (int port = 0; port < member->mail->used[generation]; port++) {
        const struct look look = {&boxes[port], 0, shared, shared->members[boxes[port].to].mail};
        if (!is_ready(&look))
            return false;
    }
    return true;
}

bool kp_mail_has_room(const kp_group *member)
{
    return is_emptied(member, generation(member));
}

bool kp_mail_is_covered(const kp_group *member)
{
    return member->mail->lent < 0 || is_emptied(member, member->mail->lent);
}

bool kp_mail_has_come(const kp_group *member, int rank, int port)
{
    const struct kp_mail *sender = member->shared->members[rank].mail;
    const struct kp_mailbox *box =
        sender->boxes + (size_t)generation(member) * (size_t)member->shared->ports + port;
    const struct look look = {box, member->mail->number, member->shared, sender};
    return is_ready(&look);
}

static int reader_of(const kp_group *member, int generation)
{
    const struct kp_mailbox *boxes = boxes_of_generation(member, generation);
    for (int port = 0; port < member->mail->used[generation]; port++) {
        if (!kp_mailbox_is_empty(&boxes[port]))
            return boxes[port].to;
    }
    return -1;
}

int kp_mail_reader(const kp_group *member)
{
    const int lent = member->mail->lent, rank = lent < 0 ? -1 : reader_of(member, lent);
    return rank >= 0 ? rank : reader_of(member, generation(member));
}

void kp_mail_announce(kp_group *member)
{
    announce(member);
}

int kp_mail_close(kp_group *member)
{
    int status = kp_mail_cover(member, -1);
    if (status == KP_OK)
        announce(member);
    return status;
}
