/* Rounds kept by the mailboxes: room, posting, waiting, and being woken.
 *
 * Nobody rings for somebody who does not sleep: who is about to sleep until another member posts or
 * takes counts itself in that member's `awaited`, and a member looks at its own before it waits
 * itself and at the end of a call, once for all it has posted and taken since. */
#include "ports/mail.h"

#include "ports/error.h"
#include "ports/fiber.h"
#include "ports/machine_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_GENERATIONS 32
#define MOST_BOX_BYTES      ((size_t)256 << 10) /* a processor, unless more is asked for */
#define NOBODY              (-1)

struct kp_mail {
    struct kp_wait_word bell; /* what its member sleeps on */

    /* What others look at. */
    alignas(KP_CACHE_LINE) _Atomic uint32_t awaited; /* members that sleep until this one acts */
    _Atomic int32_t waits_for;                       /* the rank it sleeps for, or NOBODY */
    _Atomic uint32_t reading;                        /* 1: it may be in another member's memory */
    _Atomic uint32_t gone; /* 1: it has ended, and posts and takes no more */

    /* What is its member's alone. */
    alignas(KP_CACHE_LINE) uint32_t number; /* of the current round; never 0 in a round */
    uint64_t mark;                          /* of all calls so far, in order */
    int described;                          /* generation with messages in own memory, or -1 */
    int peer;                               /* who is waited for */
    kp_error_record why;                    /* it has gone; written before `gone` */
    struct kp_waiter waiter;
    struct kp_mailbox *boxes; /* generations x ports */
    char *rows;
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

static size_t rows_bytes(const struct kp_shared *shared)
{
    size_t row = shared->machine->config.eager_bytes;
    return (size_t)shared->generations * row + KP_CACHE_LINE;
}

static size_t mail_bytes(const struct kp_shared *shared)
{
    size_t bytes = sizeof(struct kp_mail) + (size_t)shared->generations * sizeof(int);
    return (bytes + KP_CACHE_LINE - 1) / KP_CACHE_LINE * KP_CACHE_LINE;
}

/* The sleeper's half (partner: announce). The caller looks again after it has begun. */
static void sleeping(void *watched, bool begins)
{
    kp_group *seat = watched;
    struct kp_mail *mail = seat->mail;
    _Atomic uint32_t *awaited = &seat->shared->members[mail->peer].mail->awaited;
    if (begins)
        atomic_store_explicit(&mail->waits_for, mail->peer, KP_ORDER_NOTE);
    atomic_fetch_add_explicit(awaited, begins ? 1 : UINT32_MAX, KP_ORDER_AWAITED);
    if (!begins)
        atomic_store_explicit(&mail->waits_for, NOBODY, KP_ORDER_NOTE);
}

int kp_mail_create(struct kp_shared *shared)
{
    const kp_machine *machine = shared->machine;
    if (machine->config.discipline != KP_ROUNDS_BY_MAILBOXES)
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
        if (machine->crew && kp_wait_word_make(shared->machine, &mail->bell, shared->processors[i]))
            return KP_EMEMORY;
    }
    return KP_OK;
}

void kp_mail_free(struct kp_shared *shared)
{
    for (int i = 0; shared->mails && i < shared->size; i++) {
        if (shared->members[i].mail)
            kp_wait_word_free(&shared->members[i].mail->bell);
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
    atomic_store_explicit(&mail->waits_for, NOBODY, KP_ORDER_RESET);
    atomic_store_explicit(&mail->gone, 0, KP_ORDER_RESET);
    atomic_store_explicit(&mail->awaited, 0, KP_ORDER_RESET);
    atomic_store_explicit(&mail->reading, 0, KP_ORDER_RESET);
    mail->number = 0;
    mail->mark = 0;
    mail->described = -1;
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
    return atomic_load_explicit(&shared->broken, KP_ORDER_READING) != 0;
}

/* Rings for those who sleep until this member acts. To be called after what they may wait for. */
static void announce(kp_group *seat)
{
    /* The other half (partner: parking); a read-modify-write although nothing is added. */
    if (atomic_fetch_add_explicit(&seat->mail->awaited, 0, KP_ORDER_AWAITED) == 0)
        return;
    struct kp_shared *shared = seat->shared;
    for (int i = 0; i < shared->size; i++) {
        struct kp_mail *other = shared->members[i].mail;
        if (atomic_load_explicit(&other->waits_for, KP_ORDER_NOTE) == seat->rank)
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
    atomic_store_explicit(&shared->broken, 1, KP_ORDER_READING);
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
    if (atomic_load_explicit(&mail->reading, KP_ORDER_READING) == 0)
        return;
    atomic_store_explicit(&mail->reading, 0, KP_ORDER_READING);
    ring_all(shared);
}

int kp_mail_awaited(const kp_group *seat)
{
    return seat->mail ? atomic_load_explicit(&seat->mail->waits_for, KP_ORDER_NOTE) : NOBODY;
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
        if (atomic_load_explicit(&shared->members[i].mail->reading, KP_ORDER_READING) != 0)
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
    struct kp_waiter quiet = {.yields = seat->waiter.yields};
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

static void give_up(kp_group *seat, int rank)
{
    kp_machine *machine = seat->shared->machine;
    char call[160];
    kp_call_name(&seat->shown.call, call, sizeof call);
    pthread_mutex_lock(&machine->lock);
    kp_set_error(KP_ETIMEOUT, "processor %d waited %u ms in %s for processor %d",
                 seat->self->number, machine->config.time_limit_ms, call,
                 kp_seat_processor(seat, rank));
    kp_error_slot()->processor = kp_seat_processor(seat, rank);
    if (machine->first.status == KP_OK)
        machine->first = *kp_error_slot();
    kp_fail_group(seat->shared, kp_error_slot());
    pthread_mutex_unlock(&machine->lock);
}

static int wait_for(kp_group *seat, const struct kp_mailbox *box, uint32_t wanted, int rank,
                    int round)
{
    struct kp_mail *mail = seat->mail;
    struct look look = {box, wanted, seat->shared, seat->shared->members[rank].mail};
    announce(seat);
    kp_point();
    mail->peer = rank;
    mail->waiter.limit_ms = seat->shared->machine->config.time_limit_ms;
    if (!kp_wait_until(&mail->bell, is_ready, &look, &mail->waiter))
        give_up(seat, rank);
    return kp_mailbox_holds(box, wanted) ? KP_OK : fail(seat, round);
}

/* --- Calls and rounds --- */

int kp_mail_open(kp_group *seat, uint64_t fingerprint,
                 void (*describe)(const void *subject, char *text, size_t size),
                 const void *subject)
{
    uint64_t *mark = &seat->mail->mark;
    kp_port_open(seat, fingerprint, describe, subject);
    *mark = (*mark ^ fingerprint) * UINT64_C(0x9e3779b97f4a7c15);
    *mark ^= *mark >> 29;
    return is_broken(seat->shared) ? fail(seat, 0) : KP_OK;
}

int kp_mail_refuse(kp_group *seat, void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject)
{
    kp_error_record why = seat->self->error;
    kp_machine *machine = seat->shared->machine;
    char call[160];
    kp_port_open(seat, 0, describe, subject);
    if (seat->shared->size == 1)
        return why.status;
    kp_call_name(&seat->shown.call, call, sizeof call);
    pthread_mutex_lock(&machine->lock);
    kp_set_error(KP_EPEER, "processor %d could not take part in %s: %.300s", seat->self->number,
                 call, why.sentence);
    kp_error_slot()->processor = seat->self->number;
    kp_fail_group(seat->shared, kp_error_slot());
    pthread_mutex_unlock(&machine->lock);
    seat->dead = true;
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
                         : wait_for(seat, &boxes[port], 0, boxes[port].to, round);
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

char *kp_mail_row(kp_group *seat)
{
    return seat->mail->rows + (size_t)generation(seat) * kp_port_row_bytes(seat);
}

const char *kp_mail_row_of(const kp_group *seat, int rank)
{
    return seat->shared->members[rank].mail->rows +
           (size_t)generation(seat) * kp_port_row_bytes(seat);
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

/* What lies there was sent in another call than this one. */
static int report_mismatch(kp_group *seat, int rank, int port, int round)
{
    kp_machine *machine = seat->shared->machine;
    char call[160];
    kp_call_name(&seat->shown.call, call, sizeof call);
    int status = kp_port_error(seat, KP_EMISMATCH, round, port, rank,
                               "processor %d called %s, and what processor %d sent it in that "
                               "round belongs to another call or comes after one",
                               seat->self->number, call, kp_seat_processor(seat, rank));
    pthread_mutex_lock(&machine->lock);
    kp_fail_group(seat->shared, &seat->self->error);
    pthread_mutex_unlock(&machine->lock);
    (void)fail(seat, round);
    return status;
}

int kp_mail_await(kp_group *seat, int rank, int port, int round, struct kp_mailbox **box)
{
    struct kp_mail *mail = seat->mail;
    *box = seat->shared->members[rank].mail->boxes +
           (size_t)generation(seat) * (size_t)seat->shared->ports + port;
    if (!kp_mailbox_holds(*box, mail->number)) {
        int status = wait_for(seat, *box, mail->number, rank, round);
        if (status)
            return status;
    }
    return (*box)->mark == mail->mark ? KP_OK : report_mismatch(seat, rank, port, round);
}

int kp_mail_begin_reading(kp_group *seat, int round)
{
    /* Says so first, then looks (partner: fail, which has seen the failure first). */
    atomic_store_explicit(&seat->mail->reading, 1, KP_ORDER_READING);
    if (!is_broken(seat->shared))
        return KP_OK;
    kp_mail_end_reading(seat);
    return fail(seat, round);
}

void kp_mail_end_reading(kp_group *seat)
{
    atomic_store_explicit(&seat->mail->reading, 0, KP_ORDER_READING);
    if (is_broken(seat->shared))
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
