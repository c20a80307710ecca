/* Rounds kept by the mailboxes: room, posting, waiting, and being woken.
 *
 * Nobody rings for somebody who does not sleep: who is about to sleep until another member posts or
 * takes counts itself in that member's `awaited`, and a member looks at its own before it waits
 * itself and at the end of a call, once for all it has posted and taken since. */
#include "ports/mail.h"

#include "ports/error.h"
#include "ports/fiber.h"
#include "ports/history.h"
#include "ports/machine_data.h"
#include "ports/pass.h"
#include "ports/survey.h"
#include "ports/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_GENERATIONS 32
#define MOST_BOX_BYTES      ((size_t)256 << 10) /* a processor, unless more is asked for */

struct kp_mail {
    struct kp_wait_word bell; /* what its member sleeps on */

    /* What others look at. */
    alignas(KP_CACHE_LINE) struct kp_awaited awaited;
    _Atomic uint32_t reading; /* 1: it may be in another member's memory */
    _Atomic uint32_t gone;    /* 1: it has ended, and posts and takes no more */

    /* What is its member's alone. */
    alignas(KP_CACHE_LINE) uint32_t number; /* of the current round; never 0 in a round */
    uint64_t mark;                          /* of all calls so far, in order */
    int described;                          /* generation with messages in own memory, or -1 */
    int peer;                               /* who is waited for */
    kp_error_record why;                    /* it has gone; written before `gone` */
    struct kp_waiter waiter;
    struct kp_mailbox *boxes; /* generations x ports */
    char *rows;
    char *long_rows; /* written before the first message that lies there is posted */
    struct kp_history history;
    int used[]; /* by generation: ports from 0 that may have a message in it */
};

/* --- Making --- */

static int generations_of(const kp_machine *machine, int ports)
{
    if (machine->config.generations > 0)
        return machine->config.generations;
    int generations = DEFAULT_GENERATIONS;
    while (generations > KP_GENERATIONS &&
           (size_t)generations * (size_t)ports * sizeof(struct kp_mailbox) > MOST_BOX_BYTES)
        generations /= 2;
    return generations;
}

/* The odd line keeps the same place of many members out of one cache set. */
static size_t boxes_bytes(const struct kp_shared *shared)
{
    size_t lines = (size_t)shared->generations * (size_t)shared->ports;
    return (lines | 1) * sizeof(struct kp_mailbox);
}

/* Where addresses are short, these may be more than there are: then more than can be had. */
static size_t rows_bytes(const struct kp_shared *shared)
{
    size_t row = shared->row_bytes, generations = (size_t)shared->generations;
    return row > (SIZE_MAX - KP_CACHE_LINE) / generations ? SIZE_MAX
                                                          : generations * row + KP_CACHE_LINE;
}

static size_t mail_bytes(const struct kp_shared *shared)
{
    size_t bytes = sizeof(struct kp_mail) + (size_t)shared->generations * sizeof(int);
    return (bytes + KP_CACHE_LINE - 1) / KP_CACHE_LINE * KP_CACHE_LINE;
}

static void sleeping(void *watched, bool begins)
{
    kp_group *seat = watched;
    struct kp_mail *mail = seat->mail, *peer = seat->shared->members[mail->peer].mail;
    if (begins)
        kp_await_begin(&mail->awaited, &peer->awaited, mail->peer);
    else
        kp_await_end(&mail->awaited, &peer->awaited);
}

int kp_mail_create(struct kp_shared *shared)
{
    const kp_machine *machine = shared->machine;
    if (machine->config.discipline == KP_ROUNDS_BY_BARRIER)
        return KP_OK;
    shared->generations = generations_of(machine, shared->ports);
    size_t count = (size_t)shared->size, rows = rows_bytes(shared), boxes = boxes_bytes(shared);
    shared->mails = kp_lines_zeroed(count, mail_bytes(shared));
    shared->boxes = kp_lines_zeroed(count, boxes);
    shared->mail_rows = kp_lines_zeroed(count, rows);
    if (!shared->mails || !shared->boxes || !shared->mail_rows)
        return KP_EMEMORY;
    for (int i = 0; i < shared->size; i++) {
        struct kp_group *seat = &shared->members[i];
        size_t rank = (size_t)i;
        struct kp_mail *mail =
            (struct kp_mail *)((char *)shared->mails + rank * mail_bytes(shared));
        mail->boxes = (struct kp_mailbox *)((char *)shared->boxes + rank * boxes);
        mail->rows = shared->mail_rows + rank * rows;
        mail->waiter = seat->waiter;
        mail->waiter.sleeping = sleeping;
        seat->mail = mail;
        atomic_store_explicit(&mail->bell.value, kp_first_counters.rings, KP_ORDER_RESET);
        if (machine->crew && kp_wait_word_make(shared->machine, &mail->bell, shared->processors[i]))
            return KP_EMEMORY;
    }
    return KP_OK;
}

void kp_mail_free(struct kp_shared *shared)
{
    for (int i = 0; shared->mails && i < shared->size; i++) {
        if (!shared->members[i].mail)
            continue;
        kp_wait_word_free(&shared->members[i].mail->bell);
        free(shared->members[i].mail->long_rows);
    }
    free(shared->mails);
    free(shared->boxes);
    free(shared->mail_rows);
}

void kp_mail_reset(kp_group *seat)
{
    struct kp_mail *mail = seat->mail;
    size_t boxes = boxes_bytes(seat->shared) / sizeof *mail->boxes;
    for (size_t i = 0; i < boxes && mail->number != 0; i++)
        atomic_store_explicit(&mail->boxes[i].number, 0, KP_ORDER_RESET);
    atomic_store_explicit(&mail->awaited.waits_for, KP_NOBODY, KP_ORDER_RESET);
    atomic_store_explicit(&mail->gone, 0, KP_ORDER_RESET);
    atomic_store_explicit(&mail->awaited.count, 0, KP_ORDER_RESET);
    atomic_store_explicit(&mail->reading, 0, KP_ORDER_RESET);
    mail->number = kp_first_counters.letters;
    mail->mark = 0;
    mail->described = -1;
    kp_history_reset(&mail->history);
    memset(mail->used, 0, (size_t)seat->shared->generations * sizeof *mail->used);
}

bool kp_mail_is_settled(const struct kp_shared *shared)
{
    size_t boxes = (size_t)shared->generations * (size_t)shared->ports;
    for (int i = 0; shared->mails && i < shared->size; i++) {
        const struct kp_mail *mail = shared->members[i].mail;
        if (mail->mark != shared->members[0].mail->mark)
            return false;
        for (size_t j = 0; j < boxes; j++) {
            if (!kp_mailbox_is_empty(&mail->boxes[j]))
                return false;
        }
    }
    return true;
}

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

static int rank_of(const struct kp_shared *shared, int processor)
{
    int rank = 0;
    while (shared->processors[rank] != processor)
        rank++;
    return rank;
}

void kp_mail_leave(struct kp_shared *shared, int processor, const kp_error_record *why)
{
    if (shared->mails)
        leave(shared, rank_of(shared, processor), why);
}

void kp_mail_stop_reading(struct kp_shared *shared, int processor)
{
    if (!shared->mails)
        return;
    struct kp_mail *mail = shared->members[rank_of(shared, processor)].mail;
    if (!kp_is_reading(&mail->reading))
        return;
    (void)kp_reading_end(&mail->reading, &shared->broken);
    ring_all(shared);
}

int kp_mail_awaited(const kp_group *seat)
{
    return seat->mail ? kp_waits_for(&seat->mail->awaited) : KP_NOBODY;
}

bool kp_mail_is_awaited(const struct kp_shared *shared, int processor)
{
    const struct kp_mail *mail = shared->members[rank_of(shared, processor)].mail;
    return atomic_load_explicit(&mail->awaited.count, KP_ORDER_NOTE) != 0;
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

/* All under the machine's lock: tells of a failure of the group, unless it had failed before, and
 * that it is one. */
static void survey_failure(kp_group *seat, kp_diagnosis_kind kind, const struct kp_scene *scene,
                           int about, struct kp_survey *survey)
{
    bool differ = kind == KP_DIAGNOSIS_MISMATCH;
    if (!is_broken(seat->shared)) {
        kp_survey_take(survey, kind, kp_error_slot(), scene);
        int *concerned = kp_survey_concerned(survey, differ ? 2 : 1);
        if (concerned) {
            concerned[0] = seat->self->number;
            concerned[differ] = seat->shared->processors[about];
        }
    }
    kp_fail_group(seat->shared, kp_error_slot());
}

static void give_up(kp_group *seat, int rank)
{
    kp_machine *machine = seat->shared->machine;
    struct kp_survey survey;
    const struct kp_scene scene = {.waiter = seat, .awaited = kp_seat_processor(seat, rank)};
    char call[160];
    kp_call_name(seat, call, sizeof call);
    kp_survey_begin(&survey, machine);
    /* It waits for it still, to who describes the machine meanwhile. */
    atomic_store_explicit(&seat->mail->awaited.waits_for, rank, KP_ORDER_NOTE);
    kp_watch_lock_late(seat);
    atomic_store_explicit(&seat->mail->awaited.waits_for, KP_NOBODY, KP_ORDER_NOTE);
    kp_set_error(KP_ETIMEOUT, "processor %d waited %u ms in %s for processor %d",
                 seat->self->number, machine->config.time_limit_ms, call,
                 kp_seat_processor(seat, rank));
    kp_error_slot()->processor = kp_seat_processor(seat, rank);
    if (machine->first.status == KP_OK)
        machine->first = *kp_error_slot();
    if (seat->since == 0)
        seat->since = kp_watch_clock() - machine->config.time_limit_ms;
    survey_failure(seat, KP_DIAGNOSIS_LATE, &scene, rank, &survey);
    pthread_mutex_unlock(&machine->lock);
    kp_survey_tell(&survey);
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
    if (!kp_wait_until(&mail->bell, is_ready, &look, &mail->waiter))
        give_up(seat, rank);
    if (seat->trace)
        kp_trace_wait(seat, begin, round, port, rank);
    return kp_mailbox_holds(box, wanted) ? KP_OK : fail(seat, round);
}

/* --- Calls and rounds --- */

int kp_mail_open(kp_group *seat, const struct kp_call *call, const struct kp_past *past)
{
    uint64_t *mark = &seat->mail->mark;
    kp_pass_open(seat, call);
    kp_history_note(&seat->mail->history, call, kp_site_of(seat->self), past);
    *mark = (*mark ^ call->fingerprint) * UINT64_C(0x9e3779b97f4a7c15);
    *mark ^= *mark >> 29;
    return is_broken(seat->shared) ? fail(seat, 0) : KP_OK;
}

int kp_mail_refuse(kp_group *seat, void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject)
{
    kp_error_record why = seat->self->error;
    kp_machine *machine = seat->shared->machine;
    struct kp_survey survey;
    char call[160];
    kp_port_open(seat, KP_REFUSED, describe, subject);
    if (seat->shared->size == 1)
        return why.status;
    kp_call_name(seat, call, sizeof call);
    kp_survey_begin(&survey, machine);
    pthread_mutex_lock(&machine->lock);
    kp_set_error(KP_EPEER, "processor %d could not take part in %s: %.300s", seat->self->number,
                 call, why.sentence);
    kp_error_slot()->processor = seat->self->number;
    survey_failure(seat, KP_DIAGNOSIS_REFUSED, NULL, seat->rank, &survey);
    pthread_mutex_unlock(&machine->lock);
    kp_survey_tell(&survey);
    seat->dead = true;
    seat->self->error_told = true;
    seat->self->error = why;
    *kp_error_slot() = why;
    return why.status;
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

bool kp_mail_word_difference(const kp_group *seat, int rank, char *text, size_t size)
{
    const struct kp_group *other = &seat->shared->members[rank];
    struct kp_past_call mine, theirs;
    char here[160], there[160];
    bool before;
    uint64_t number =
        kp_history_differ(&seat->mail->history, &other->mail->history, &mine, &theirs, &before);
    if (number == 0)
        return false;
    kp_past_name(&mine, here, sizeof here);
    kp_past_name(&theirs, there, sizeof there);
    snprintf(text, size, "processor %d called %s, processor %d called %s (call %llu of both%s)",
             kp_seat_processor(seat, seat->rank), here, kp_seat_processor(seat, rank), there,
             (unsigned long long)number, before ? ", or an earlier one differs too" : "");
    return true;
}

/* What lies there was sent in another call than this one. */
static int report_mismatch(kp_group *seat, int rank, int port, int round)
{
    kp_machine *machine = seat->shared->machine;
    struct kp_survey survey;
    char call[160], text[KP_SENTENCE_BYTES];
    kp_call_name(seat, call, sizeof call);
    kp_survey_begin(&survey, machine);
    if (!kp_mail_word_difference(seat, rank, text, sizeof text))
        snprintf(text, sizeof text,
                 "processor %d called %s, and what processor %d sent it in that round belongs to "
                 "another call or comes after one",
                 seat->self->number, call, kp_seat_processor(seat, rank));
    int status = kp_port_error(seat, KP_EMISMATCH, round, port, rank, "%s", text);
    pthread_mutex_lock(&machine->lock);
    survey_failure(seat, KP_DIAGNOSIS_MISMATCH, NULL, rank, &survey);
    pthread_mutex_unlock(&machine->lock);
    kp_survey_tell(&survey);
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

int kp_mail_close(kp_group *seat)
{
    int status = kp_mail_cover(seat, -1);
    if (status == KP_OK)
        announce(seat);
    return status;
}
