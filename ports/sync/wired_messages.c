/* The messages of a call's rounds over a wire. */
#include "ports/error.h"
#include "ports/member.h"
#include "ports/sync/wired_data.h"

#include <stdlib.h>
#include <string.h>

void kp_wired_free_transfers(struct transfers *transfers)
{
    for (int i = 0; i < transfers->room; i++)
        free(transfers->all[i].memory);
    free(transfers->all);
    free(transfers->heads);
    free(transfers->longs);
}

/* --- Messages --- */

int kp_wired_open(kp_group *member, const struct kp_call *call, bool may_be_refused)
{
    kp_member_open(member, call);
    int status = may_be_refused ? kp_port_meet(member, -1) : KP_OK;
    if (!status)
        kp_wired_count(member->wired, call->fingerprint, 0);
    return status;
}

int kp_wired_refuse(kp_group *member,
                    void (*describe)(const void *subject, char *text, size_t size),
                    const void *subject)
{
    kp_error_record why = member->self->error;
    kp_port_open(member, KP_REFUSED, describe, subject);
    return kp_wired_broken_by_own(member, -1, kp_port_refusal(member, &why, -1));
}

int kp_wired_close(kp_group *member)
{
    return member->exchanged && kp_exchange_end(member) ? kp_proc_keep_error(member->self) : KP_OK;
}

void kp_wired_next(kp_group *member)
{
    struct kp_wired *wired = member->wired;
    wired->in.count = wired->in.long_count = wired->out.count = wired->out.long_count = 0;
}

/* Short contents go with the head. Longer contents are a message of their own, with the same tag.
 * The sender begins to send both at once. The receiver takes the longer contents when the head has
 * come: then it knows that they belong to its call, and their length. So they may go from the
 * caller's memory to the other caller's memory. */
static bool is_short(size_t bytes)
{
    return bytes < KP_WIRE_SHORT - sizeof(struct head);
}

/* Makes room for one more transfer that has no memory, or too little: for a head and `room` bytes.
 */
static int grow(kp_group *member, struct transfers *transfers, size_t room)
{
    if (transfers->count == transfers->room) {
        const size_t more = 2 * (size_t)transfers->room + 4;
        struct transfer *all = realloc(transfers->all, more * sizeof *all);
        transfers->all = all ? all : transfers->all;
        struct kp_wire_message *heads = realloc(transfers->heads, more * sizeof *heads);
        transfers->heads = heads ? heads : transfers->heads;
        struct kp_wire_message *longs = realloc(transfers->longs, more * sizeof *longs);
        transfers->longs = longs ? longs : transfers->longs;
        if (!all || !heads || !longs)
            goto no_memory;
        memset(all + transfers->room, 0, (more - (size_t)transfers->room) * sizeof *all);
        transfers->room = (int)more;
    }
    struct transfer *transfer = &transfers->all[transfers->count];
    free(transfer->memory);
    transfer->room = room > KP_WIRE_SHORT ? room : KP_WIRE_SHORT;
    transfer->memory = malloc(sizeof(struct head) + transfer->room);
    if (!transfer->memory)
        goto no_memory;
    return KP_OK;

no_memory:
    return kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for a message of %zu bytes",
                         room);
}

/* Adds a transfer. Its head has `length` bytes. Returns NULL, with an error set, if there is no
 * memory. */
static inline struct transfer *add(kp_group *member, struct transfers *transfers, int rank,
                                   int port, size_t bytes, size_t length, const void *place)
{
    const int i = transfers->count;
    const size_t room = place ? 0 : bytes;
    if ((i == transfers->room || !transfers->all[i].memory || transfers->all[i].room < room) &&
        grow(member, transfers, room))
        return NULL;
    struct transfer *transfer = &transfers->all[i];
    struct kp_wire_message *head = &transfers->heads[i];
    transfer->rank = rank;
    transfer->port = port;
    transfer->bytes = bytes;
    transfer->place = place ? (char *)place : transfer->memory + sizeof(struct head);
    head->peer = member->shared->processors[rank];
    head->exact = false;
    head->tag = kp_wired_tag(member, port);
    head->bytes = transfer->memory;
    head->length = length;
    transfers->count++;
    return transfer;
}

/* Adds the longer contents of transfer i. */
static void add_long(struct transfers *transfers, int i)
{
    struct kp_wire_message *contents = &transfers->longs[transfers->long_count++];
    *contents = transfers->heads[i];
    contents->exact = true;
    contents->bytes = transfers->all[i].place;
    contents->length = transfers->all[i].bytes;
}

int kp_wired_expect(kp_group *member, int rank, int port, size_t bytes, bool whole, void *place)
{
    struct transfer *in = add(member, &member->wired->in, rank, port, bytes, KP_WIRE_SHORT, place);
    if (!in)
        return KP_EMEMORY;
    in->whole = whole;
    return KP_OK;
}

char *kp_wired_out(kp_group *member, int rank, int port, size_t bytes, const void *place)
{
    struct transfers *transfers = &member->wired->out;
    const struct head head = {member->wired->mark, bytes};
    const size_t length = sizeof head + (is_short(bytes) ? bytes : 0);
    struct transfer *out = add(member, transfers, rank, port, bytes, length, place);
    if (!out)
        return NULL;
    memcpy(out->memory, &head, sizeof head);
    if (!is_short(bytes))
        add_long(transfers, transfers->count - 1);
    return out->place;
}

bool kp_wired_goes_directly(size_t bytes)
{
    return !is_short(bytes);
}

static int another_call(kp_group *member, const struct transfer *in, int round)
{
    char call[160];
    kp_call_name(member, call, sizeof call);
    kp_port_error(member, KP_EMISMATCH, round, in->port, in->rank,
                  "processor %d called %s, and what processor %d sent it in that round belongs to "
                  "another call or comes after one",
                  member->self->number, call, kp_member_processor(member, in->rank));
    return kp_wired_broken_by_own(member, round, member->self->error);
}

/* Checks that the head that came belongs to this member's call, and learns the length of the
 * contents. */
static int check_head(kp_group *member, int i, int round)
{
    struct transfers *transfers = &member->wired->in;
    struct transfer *in = &transfers->all[i];
    const size_t came = transfers->heads[i].length;
    struct head head = {0, 0};
    if (came >= sizeof head)
        memcpy(&head, in->memory, sizeof head);
    const bool fits = in->whole ? head.bytes == in->bytes : head.bytes <= in->bytes;
    const size_t with_head = is_short((size_t)head.bytes) ? (size_t)head.bytes : 0;
    if (!fits || came != sizeof head + with_head || head.mark != member->wired->mark)
        return another_call(member, in, round);
    in->bytes = (size_t)head.bytes;
    if (!is_short(in->bytes))
        add_long(transfers, i);
    return KP_OK;
}

/* Returns whether a message of this round may have contents that do not go with its head. */
static bool may_have_longs(const struct kp_wired *wired)
{
    bool any = wired->out.long_count > 0;
    for (int i = 0; i < wired->in.count && !any; i++)
        any = !is_short(wired->in.all[i].bytes);
    return any;
}

int kp_wired_begin(kp_group *member, int round)
{
    struct kp_wired *wired = member->wired;
    struct kp_wire *wire = wired->wire;
    struct transfers *in = &wired->in, *out = &wired->out;
    wired->held = kp_wired_hold();
    member->round = round;
    int status = kp_wired_may_begin(member);
    status = status ? status : wire->begin(wire, in->heads, in->count, out->heads, out->count);
    if (!status && out->long_count > 0)
        status = wire->begin(wire, NULL, 0, out->longs, out->long_count);
    if (!status)
        return KP_OK;
    status = kp_wired_complete(member, status, KP_WIRE_ALL, 0, round);
    kp_wired_release(wired->held);
    return status;
}

static int finish_round(kp_group *member, int round)
{
    struct kp_wired *wired = member->wired;
    struct kp_wire *wire = wired->wire;
    const unsigned limit_ms = member->shared->machine->config.time_limit_ms;
    const bool longs = may_have_longs(wired);
    int status =
        kp_wired_complete(member, KP_OK, longs ? KP_WIRE_RECEIVES : KP_WIRE_ALL, limit_ms, round);
    for (int i = 0; i < wired->in.count && !status; i++)
        status = check_head(member, i, round);
    if (status || !longs)
        return status;
    status = wire->begin(wire, wired->in.longs, wired->in.long_count, NULL, 0);
    return kp_wired_complete(member, status, KP_WIRE_ALL, limit_ms, round);
}

int kp_wired_end(kp_group *member, int round)
{
    const int status = finish_round(member, round);
    kp_wired_release(member->wired->held);
    return status;
}

const char *kp_wired_came(const kp_group *member, int i)
{
    return member->wired->in.all[i].place;
}
