/* Rounds kept by the mailboxes: room, posting, waiting, and being woken.
 *
 * Nobody rings for somebody who does not sleep: who is about to sleep until another member posts or
 * takes counts itself in that member's `awaited`, and a member looks at its own before it waits
 * itself and at the end of a call, once for all it has posted and taken since. */
#include "ports/sync/mail.h"

#include "ports/error.h"
#include "ports/fail/survey.h"
#include "ports/pass.h"
#include "ports/sync/mail_data.h"
#include "ports/trace/trace.h"
#include "ports/without.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINKS_AT_MOST 8 /* in a sentence */

bool kp_mail_keeps(const kp_group *seat)
{
    return seat->mail != NULL;
}

/* --- Waiting --- */

static bool is_broken(const struct kp_shared *shared)
{
    return kp_is_broken(&shared->broken);
}

/* Rings for those who sleep until this member acts. To be called after what they may wait for. */
static void announce(kp_group *seat)
{
    if (!kp_is_awaited(&seat->mail->awaited))
        return;
    struct kp_shared *shared = seat->shared;
    for (int i = 0; i < shared->size; i++) {
        struct kp_mail *other = shared->members[i].mail;
        if (kp_waits_for(&other->awaited) == seat->rank)
            kp_ring(&other->bell);
    }
}

static void ring_all(struct kp_shared *shared)
{
    for (int i = 0; i < shared->size; i++)
        kp_ring(&shared->members[i].mail->bell);
}

void kp_mail_break(struct kp_shared *shared, const kp_error_record *why)
{
    if (!shared->mails || is_broken(shared))
        return;
    shared->break_reason = *why;
    kp_break(&shared->broken);
    ring_all(shared);
}

/* The member at that rank posts and takes no more. */
static void leave(struct kp_shared *shared, int rank, const kp_error_record *why)
{
    struct kp_mail *mail = shared->members[rank].mail;
    if (atomic_load_explicit(&mail->gone, KP_ORDER_OBSERVE) != 0)
        return;
    mail->why = *why;
    /* Releases all that it has posted and taken, and the reason (partner: is_ready). */
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
    if (!kp_is_reading(&mail->reading))
        return;
    (void)kp_reading_end(&mail->reading, &shared->broken);
    ring_all(shared);
}

int kp_mail_awaited(const kp_group *seat)
{
    return seat->mail ? atomic_load_explicit(&seat->mail->wants_of, KP_ORDER_NOTE) : KP_NOBODY;
}

int kp_mail_still_awaited(const kp_group *seat)
{
    int rank = kp_mail_awaited(seat);
    if (rank < 0)
        return KP_NOBODY;
    const struct kp_mailbox *box = atomic_load_explicit(&seat->mail->wants, KP_ORDER_NOTE);
    uint32_t wanted = atomic_load_explicit(&seat->mail->wanted, KP_ORDER_NOTE);
    return kp_mailbox_holds(box, wanted) ? KP_NOBODY : rank;
}

bool kp_mail_is_awaited(const struct kp_shared *shared, int processor)
{
    int rank = kp_rank_of(shared, processor);
    return rank >= 0 &&
           atomic_load_explicit(&shared->members[rank].mail->awaited.count, KP_ORDER_NOTE) != 0;
}

const struct kp_wait_word *kp_mail_bell(const kp_group *seat)
{
    return &seat->mail->bell;
}

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
        if (kp_is_reading(&shared->members[i].mail->reading))
            return false;
    }
    return true;
}

/* The call ends here. What this member has described may be read until nobody is at it, and nobody
 * begins once the group is broken. */
static int fail(kp_group *seat, int round)
{
    struct kp_shared *shared = seat->shared;
    struct kp_mail *mail = seat->mail;
    const kp_error_record *why =
        is_broken(shared) ? &shared->break_reason : &shared->members[mail->peer].mail->why;
    struct kp_waiter quiet = {.yields = seat->waiter.yields, .longer_us = seat->waiter.longer_us};
    /* What it has sent can still be taken; who waits for more learns it now. */
    pthread_mutex_lock(&shared->machine->lock);
    leave(shared, seat->rank, why);
    if (mail->described >= 0)
        kp_mail_break(shared, why);
    pthread_mutex_unlock(&shared->machine->lock);
    if (mail->described >= 0) {
        (void)kp_wait_until(&mail->bell, nobody_reads, shared, &quiet);
    }
    return kp_port_failed(seat, round, why);
}

/* Under the machine's lock: tells of a failure of the group, unless it had failed before, and that
 * it is one. */
static void survey_failure(kp_group *seat, kp_diagnosis_kind kind, int about, int other,
                           struct kp_survey *survey)
{
    if (!is_broken(seat->shared))
        kp_survey_take(survey, kind, kp_error_slot(), about, other);
    kp_sync_fail(seat->shared, kp_error_slot());
}

/* Whom the member at that rank waits for in this group, to the eyes of `seat`; KP_NOBODY: it does
 * not wait. One that has come to a pass waits for all. */
static int awaited_by(const kp_group *seat, int rank)
{
    const kp_group *other = &seat->shared->members[rank];
    uint64_t passes = atomic_load_explicit(&other->shown.passes, KP_ORDER_WITHIN_PASS);
    return passes > seat->passes ? seat->rank : kp_mail_still_awaited(other);
}

/* Who is late, where this member waits for the one at that rank, which may itself be waiting: goes
 * from each to whom it waits for, until one does not. Where that goes in a circle nobody is late:
 * then the one that is waited for. `links`: who waits for whom, if there is more than one link.
 * Under the machine's lock, which all want who give up; others may go on meanwhile. */
static int find_late(const kp_group *seat, int rank, char *links, size_t size)
{
    const struct kp_shared *shared = seat->shared;
    kp_proc *procs = shared->machine->procs;
    int from = seat->rank, at = rank, count = 0;
    size_t length = 0;
    for (int i = 0; i < shared->size; i++)
        procs[shared->processors[i]].mark = 0;
    while (at >= 0 && !procs[shared->processors[from]].mark) {
        if (count++ < LINKS_AT_MOST)
            length += (size_t)snprintf(links + length, size - length, "%s %d waits for %d",
                                       count > 1 ? "," : ":", shared->processors[from],
                                       shared->processors[at]);
        else if (count == LINKS_AT_MOST + 1)
            snprintf(links + length, size - length, ", and so on");
        procs[shared->processors[from]].mark = 1;
        from = at;
        at = awaited_by(seat, from);
    }
    if (count == 1)
        links[0] = '\0';
    return at < 0 ? from : rank;
}

static void give_up(kp_group *seat, int rank)
{
    kp_machine *machine = seat->shared->machine;
    struct kp_survey survey;
    char call[160], links[LINKS_AT_MOST * 40];
    kp_call_name(seat, call, sizeof call);
    kp_survey_begin_late(&survey, seat, kp_seat_processor(seat, rank));
    int late = kp_seat_processor(seat, find_late(seat, rank, links, sizeof links));
    kp_set_error(KP_ETIMEOUT, "processor %d waited %u ms in %s for processor %d%s",
                 seat->self->number, machine->config.time_limit_ms, call, late, links);
    kp_error_slot()->processor = late;
    kp_first_failure(machine, kp_error_slot());
    survey_failure(seat, KP_DIAGNOSIS_LATE, late, -1, &survey);
    kp_survey_end(&survey);
}

static int wait_for(kp_group *seat, const struct kp_mailbox *box, uint32_t wanted, int rank,
                    int port, int round)
{
    seat->round = round;
    seat->port = port;
    seat->since = 0;
    struct kp_mail *mail = seat->mail;
    struct look look = {box, wanted, seat->shared, seat->shared->members[rank].mail};
    announce(seat);
    kp_point();
    mail->peer = rank;
    mail->waiter.limit_ms = seat->shared->machine->config.time_limit_ms;
    uint64_t begin = seat->trace ? kp_trace_now(seat) : 0;
    atomic_store_explicit(&mail->wants, box, KP_ORDER_NOTE);
    atomic_store_explicit(&mail->wanted, wanted, KP_ORDER_NOTE);
    atomic_store_explicit(&mail->wants_of, rank, KP_ORDER_NOTE);
    if (!kp_wait_until(&mail->bell, is_ready, &look, &mail->waiter))
        give_up(seat, rank);
    atomic_store_explicit(&mail->wants_of, KP_NOBODY, KP_ORDER_NOTE);
    if (seat->trace)
        kp_trace_wait(seat, begin, round);
    return kp_mailbox_holds(box, wanted) ? KP_OK : fail(seat, round);
}

/* --- Calls and rounds --- */

int kp_mail_open(kp_group *seat, const struct kp_call *call, const struct kp_past *past)
{
    kp_pass_open(seat, call);
    kp_history_note(&seat->mail->history, call, kp_site_of(seat->self), past);
    seat->mail->mark = kp_mark_after(seat->mail->mark, call->fingerprint);
    return is_broken(seat->shared) ? fail(seat, 0) : KP_OK;
}

int kp_mail_refuse(kp_group *seat, void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject)
{
    kp_error_record why = seat->self->error;
    struct kp_survey survey;
    kp_port_open(seat, KP_REFUSED, describe, subject);
    if (seat->shared->size == 1)
        return why.status;
    kp_survey_begin(&survey, seat->shared->machine);
    *kp_error_slot() = kp_port_refusal(seat, &why, -1);
    survey_failure(seat, KP_DIAGNOSIS_REFUSED, seat->self->number, -1, &survey);
    kp_survey_end(&survey);
    seat->dead = true;
    seat->self->error_told = true;
    return kp_proc_set_error(seat->self, &why);
}

static int generation(const kp_group *seat)
{
    return (int)(seat->mail->number & (uint32_t)(seat->shared->generations - 1));
}

void kp_mail_next(kp_group *seat)
{
    struct kp_mail *mail = seat->mail;
    if (++mail->number == 0)
        mail->number = 1;
}

static struct kp_mailbox *boxes_of_generation(const kp_group *seat, int generation)
{
    return seat->mail->boxes + (size_t)generation * (size_t)seat->shared->ports;
}

/* Waits until all messages of a generation have been taken. */
static int empty(kp_group *seat, int generation, int round)
{
    struct kp_mail *mail = seat->mail;
    const struct kp_mailbox *boxes = boxes_of_generation(seat, generation);
    for (int port = 0; port < mail->used[generation]; port++) {
        int status = kp_mailbox_is_empty(&boxes[port])
                         ? KP_OK
                         : wait_for(seat, &boxes[port], 0, boxes[port].to, port, round);
        if (status)
            return status;
    }
    mail->used[generation] = 0;
    return KP_OK;
}

int kp_mail_make_room(kp_group *seat, int round)
{
    return empty(seat, generation(seat), round);
}

struct kp_mailbox *kp_mail_box(kp_group *seat, int port)
{
    return boxes_of_generation(seat, generation(seat)) + port;
}

bool kp_mail_is_long(const kp_group *seat, size_t bytes)
{
    return bytes > seat->shared->row_bytes;
}

bool kp_mail_packs(const kp_group *seat, size_t longest, size_t all)
{
    return !kp_mail_is_long(seat, longest) ||
           (longest == all && longest <= seat->shared->mail_long_bytes);
}

int kp_mail_reserve(kp_group *seat)
{
    const struct kp_shared *shared = seat->shared;
    size_t rows = (size_t)shared->generations, bytes = shared->mail_long_bytes;
    if (!seat->mail->long_rows && bytes <= SIZE_MAX / rows)
        seat->mail->long_rows = malloc(rows * bytes);
    return seat->mail->long_rows ? KP_OK
                                 : kp_port_error(seat, KP_EMEMORY, -1, -1, -1,
                                                 "no memory for %zu rows of %zu bytes, which "
                                                 "messages are packed into",
                                                 rows, bytes);
}

static char *row_of(const kp_group *seat, const struct kp_mail *mail, size_t bytes)
{
    const struct kp_shared *shared = seat->shared;
    bool is_long = kp_mail_is_long(seat, bytes);
    size_t stride = is_long ? shared->mail_long_bytes : shared->row_bytes;
    return (is_long ? mail->long_rows : mail->rows) + (size_t)generation(seat) * stride;
}

char *kp_mail_row(kp_group *seat, size_t bytes)
{
    return row_of(seat, seat->mail, bytes);
}

const char *kp_mail_row_of(const kp_group *seat, int rank, size_t bytes)
{
    return row_of(seat, seat->shared->members[rank].mail, bytes);
}

void kp_mail_post(kp_group *seat, int port, int peer)
{
    struct kp_mail *mail = seat->mail;
    struct kp_mailbox *box = kp_mail_box(seat, port);
    int *used = &mail->used[generation(seat)];
    *used = port < *used ? *used : port + 1;
    box->to = peer;
    box->mark = mail->mark;
    kp_mailbox_post(box, mail->number);
}

void kp_mail_describe(kp_group *seat)
{
    seat->mail->described = generation(seat);
}

int kp_mail_cover(kp_group *seat, int round)
{
    struct kp_mail *mail = seat->mail;
    int status = mail->described < 0 ? KP_OK : empty(seat, mail->described, round);
    mail->described = -1;
    return status;
}

uint64_t kp_mail_calls(const kp_group *seat)
{
    return atomic_load_explicit(&seat->mail->history.calls, KP_ORDER_INSPECT);
}

bool kp_mail_say_difference(const kp_group *seat, int rank, struct kp_words *words)
{
    const struct kp_group *other = &seat->shared->members[rank];
    return kp_history_say_difference(&seat->mail->history, kp_seat_processor(seat, seat->rank),
                                     &other->mail->history, kp_seat_processor(seat, rank), words);
}

/* What lies there was sent in another call than this one. */
static int report_mismatch(kp_group *seat, int rank, int port, int round)
{
    struct kp_survey survey;
    char call[160], text[KP_SENTENCE_BYTES];
    struct kp_words words = {.text = text, .size = sizeof text};
    kp_call_name(seat, call, sizeof call);
    if (!kp_mail_say_difference(seat, rank, &words))
        kp_say(&words,
               "processor %d called %s, and what processor %d sent it in that round belongs to "
               "another call or comes after one",
               seat->self->number, call, kp_seat_processor(seat, rank));
    int status = kp_port_error(seat, KP_EMISMATCH, round, port, rank, "%s", text);
    kp_survey_begin(&survey, seat->shared->machine);
    survey_failure(seat, KP_DIAGNOSIS_MISMATCH, seat->self->number, kp_seat_processor(seat, rank),
                   &survey);
    kp_survey_end(&survey);
    (void)fail(seat, round);
    return status;
}

int kp_mail_await(kp_group *seat, int rank, int port, int round, struct kp_mailbox **box)
{
    struct kp_mail *mail = seat->mail;
    *box = seat->shared->members[rank].mail->boxes +
           (size_t)generation(seat) * (size_t)seat->shared->ports + port;
    if (!kp_mailbox_holds(*box, mail->number)) {
        int status = wait_for(seat, *box, mail->number, rank, port, round);
        if (status)
            return status;
    }
    return (*box)->mark == mail->mark ? KP_OK : report_mismatch(seat, rank, port, round);
}

int kp_mail_begin_reading(kp_group *seat, int round)
{
    if (kp_reading_begin(&seat->mail->reading, &seat->shared->broken))
        return KP_OK;
    kp_mail_end_reading(seat);
    return fail(seat, round);
}

void kp_mail_end_reading(kp_group *seat)
{
    if (kp_reading_end(&seat->mail->reading, &seat->shared->broken))
        ring_all(seat->shared);
}

void kp_mail_take(struct kp_mailbox *box)
{
    kp_mailbox_release(box);
}

/* --- For who does not wait --- */

/* A failure, or a reader that is gone, is nothing to wait for. */
static bool is_emptied(const kp_group *seat, int generation)
{
    const struct kp_shared *shared = seat->shared;
    const struct kp_mailbox *boxes = boxes_of_generation(seat, generation);
    for (int port = 0; port < seat->mail->used[generation]; port++) {
        const struct look look = {&boxes[port], 0, shared, shared->members[boxes[port].to].mail};
        if (!is_ready(&look))
            return false;
    }
    return true;
}

bool kp_mail_has_room(const kp_group *seat)
{
    return is_emptied(seat, generation(seat));
}

bool kp_mail_is_covered(const kp_group *seat)
{
    return seat->mail->described < 0 || is_emptied(seat, seat->mail->described);
}

bool kp_mail_has_come(const kp_group *seat, int rank, int port)
{
    const struct kp_mail *sender = seat->shared->members[rank].mail;
    const struct kp_mailbox *box =
        sender->boxes + (size_t)generation(seat) * (size_t)seat->shared->ports + port;
    const struct look look = {box, seat->mail->number, seat->shared, sender};
    return is_ready(&look);
}

void kp_mail_announce(kp_group *seat)
{
    announce(seat);
}

int kp_mail_close(kp_group *seat)
{
    int status = kp_mail_cover(seat, -1);
    if (status == KP_OK)
        announce(seat);
    return status;
}
