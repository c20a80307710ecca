/* Allocates, resets and frees the mailboxes of a group's members, with their eager buffers. Also
 * checks whether members have received all messages. mail.h explains mailboxes. */
#include "ports/sync/mail.h"

#include "ports/carrier/carrier.h"
#include "ports/machine_data.h"
#include "ports/sync/mail_data.h"
#include "ports/sync/sync.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_GENERATIONS 32
#define MOST_BOX_BYTES      ((size_t)256 << 10) /* by default, the most bytes of a member's boxes */

static int generations_of(const kp_machine *machine, int ports)
{
    if (machine->config.generations > 0)
        return machine->config.generations;
    int generations = DEFAULT_GENERATIONS;
    /* untaken: so many ports occur in suites full and stress only */
    while (generations > KP_GENERATIONS &&
           (size_t)generations * (size_t)ports * sizeof(struct kp_mailbox) > MOST_BOX_BYTES)
        generations /= 2;
    return generations;
}

/* Returns the bytes of a member's boxes. It is an odd number of cache lines, so that the boxes of
 * the same port of many members lie in different sets of the cache. */
static size_t boxes_bytes(const struct kp_shared *shared)
{
    size_t lines = (size_t)shared->generations * (size_t)shared->ports;
    return (lines | 1) * sizeof(struct kp_mailbox);
}

/* Returns the bytes of a member's eager buffers. Returns SIZE_MAX, which no allocation grants, if
 * the product does not fit into size_t, as may happen with 32-bit addresses. */
static size_t buffers_bytes(const struct kp_shared *shared)
{
    size_t buffer = shared->buffer_bytes, generations = (size_t)shared->generations;
    /* untaken: 64-bit addresses have room for every product */
    return buffer > (SIZE_MAX - KP_CACHE_LINE) / generations ? SIZE_MAX
                                                             : generations * buffer + KP_CACHE_LINE;
}

static size_t mail_bytes(const struct kp_shared *shared)
{
    size_t bytes = sizeof(struct kp_mail) + (size_t)shared->generations * sizeof(int);
    return (bytes + KP_CACHE_LINE - 1) / KP_CACHE_LINE * KP_CACHE_LINE;
}

void kp_mail_sleeping(void *waiting_member, bool begins)
{
    kp_group *member = waiting_member;
    struct kp_mail *mail = member->mail, *peer = member->shared->members[mail->peer].mail;
    if (begins)
        kp_await_begin(&mail->awaited, &peer->awaited, mail->peer);
    else
        kp_await_end(&mail->awaited, &peer->awaited);
}

static int make(struct kp_shared *shared)
{
    const kp_machine *machine = shared->machine;
    shared->generations = generations_of(machine, shared->ports);
    size_t count = (size_t)shared->size, buffers = buffers_bytes(shared),
           boxes = boxes_bytes(shared);
    shared->mails = kp_lines_zeroed(count, mail_bytes(shared));
    shared->boxes = kp_lines_zeroed(count, boxes);
    /* Not cleared: at 8 KiB for each of 32 generations, that would take longer than all else. */
    shared->mail_buffers = kp_lines(count, buffers);
    if (!shared->mails || !shared->boxes || !shared->mail_buffers)
        return KP_EMEMORY;
    kp_rows_leave(shared->boxes, count * boxes);
    kp_rows_leave(shared->mail_buffers, count * buffers);
    for (int i = 0; i < shared->size; i++) {
        struct kp_group *member = &shared->members[i];
        size_t rank = (size_t)i;
        struct kp_mail *mail =
            (struct kp_mail *)((char *)shared->mails + rank * mail_bytes(shared));
        mail->boxes = (struct kp_mailbox *)((char *)shared->boxes + rank * boxes);
        mail->buffers = shared->mail_buffers + rank * buffers;
        mail->waiter = member->waiter;
        mail->waiter.sleeping = kp_mail_sleeping;
        member->mail = mail;
    }
    return KP_OK;
}

static void free_mails(struct kp_shared *shared)
{
    for (int i = 0; shared->mails && i < shared->size; i++) {
        if (!shared->members[i].mail)
            continue;
        free(shared->members[i].mail->long_buffers);
    }
    free(shared->mails);
    free(shared->boxes);
    free(shared->mail_buffers);
}

static void begin_anew(kp_group *member)
{
    struct kp_mail *mail = member->mail;
    size_t boxes = boxes_bytes(member->shared) / sizeof *mail->boxes;
    /* An empty box is not written, because its page may still be nobody's (kp_rows_leave). */
    for (size_t i = 0; i < boxes && mail->number != 0; i++) {
        if (!kp_mailbox_is_empty(&mail->boxes[i]))
            atomic_store_explicit(&mail->boxes[i].number, 0, KP_ORDER_RESET);
    }
    atomic_store_explicit(&mail->awaited.waits_for, KP_NOBODY, KP_ORDER_RESET);
    atomic_store_explicit(&mail->wants, mail->boxes, KP_ORDER_RESET);
    atomic_store_explicit(&mail->wants_of, KP_NOBODY, KP_ORDER_RESET);
    atomic_store_explicit(&mail->gone, 0, KP_ORDER_RESET);
    atomic_store_explicit(&mail->awaited.count, 0, KP_ORDER_RESET);
    atomic_store_explicit(&mail->reading, 0, KP_ORDER_RESET);
    mail->number = kp_first_counters.mail_rounds;
    mail->mark = 0;
    mail->lent = -1;
    kp_history_reset(&mail->history);
    memset(mail->used, 0, (size_t)member->shared->generations * sizeof *mail->used);
}

static void reset(struct kp_shared *shared)
{
    for (int i = 0; i < shared->size; i++)
        begin_anew(&shared->members[i]);
    atomic_store_explicit(&shared->broken, 0, KP_ORDER_RESET);
}

const struct kp_sync_row kp_mailboxes_row = {
    .make = make,
    .free = free_mails,
    .reset = reset,
    .fail = kp_mail_break,
    .is_awaited = kp_mail_is_awaited,
};

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
