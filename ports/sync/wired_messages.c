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
}

/* --- Messages --- */

int kp_wired_open(kp_group *member, const struct kp_call *call, bool may_be_refused)
{
    kp_member_open(member, call);
    int status = may_be_refused ? kp_port_meet(member, -1) : KP_OK;
    if (!status)
        member->wired->mark = kp_hash(member->wired->mark, call->fingerprint);
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
    member->wired->in.count = member->wired->out.count = 0;
}

/* Short contents go with the head. Longer contents follow in a message of their own, after the
 * heads of all peers have come: then both sides know its length, and it may go from the caller's
 * memory to the other caller's memory. */
static bool is_short(size_t bytes)
{
    return bytes < KP_WIRE_SHORT - sizeof(struct head);
}

/* Makes room for one more transfer, with memory for a head and `room` bytes. */
static struct transfer *add_transfer(kp_group *member, struct transfers *transfers, size_t room)
{
    if (transfers->count == transfers->room) {
        int more = 2 * transfers->room + 4;
        struct transfer *all = realloc(transfers->all, (size_t)more * sizeof *all);
        if (!all)
            goto no_memory;
        memset(all + transfers->room, 0, (size_t)(more - transfers->room) * sizeof *all);
        *transfers = (struct transfers){all, transfers->count, more};
    }
    struct transfer *transfer = &transfers->all[transfers->count];
    if (!transfer->memory || transfer->room < room) {
        free(transfer->memory);
        transfer->room = room;
        transfer->memory = malloc(sizeof(struct head) + room);
        if (!transfer->memory)
            goto no_memory;
    }
    transfers->count++;
    return transfer;

no_memory:
    kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for a message of %zu bytes", room);
    return NULL;
}

int kp_wired_expect(kp_group *member, int rank, int port, size_t bytes, bool whole, void *place)
{
    const size_t most = place || is_short(bytes) ? KP_WIRE_SHORT - sizeof(struct head) : bytes;
    struct transfer *in = add_transfer(member, &member->wired->in, most);
    if (!in)
        return KP_EMEMORY;
    in->rank = rank;
    in->port = port;
    in->bytes = bytes;
    in->whole = whole;
    in->place = place ? place : in->memory + sizeof(struct head);
    return KP_OK;
}

char *kp_wired_out(kp_group *member, int rank, int port, size_t bytes, const void *place)
{
    struct transfer *out = add_transfer(member, &member->wired->out, place ? 0 : bytes);
    if (!out)
        return NULL;
    const struct head head = {member->wired->mark, bytes};
    memcpy(out->memory, &head, sizeof head);
    out->rank = rank;
    out->port = port;
    out->bytes = bytes;
    out->place = place ? (char *)place : out->memory + sizeof head;
    return out->place;
}

bool kp_wired_goes_directly(size_t bytes)
{
    return !is_short(bytes);
}

/* Begins to exchange the heads, with short contents. */
static int begin_heads(kp_group *member)
{
    struct kp_wired *wired = member->wired;
    struct kp_wire *wire = wired->wire;
    const int *processors = member->shared->processors;
    int status = kp_wired_may_begin(member);
    for (int i = 0; i < wired->in.count && !status; i++) {
        struct transfer *in = &wired->in.all[i];
        status = wire->receive(wire, processors[in->rank], kp_wired_tag(member, in->port),
                               in->memory, KP_WIRE_SHORT, &in->came, false);
    }
    for (int i = 0; i < wired->out.count && !status; i++) {
        struct transfer *out = &wired->out.all[i];
        status =
            wire->send(wire, processors[out->rank], kp_wired_tag(member, out->port), out->memory,
                       sizeof(struct head) + (is_short(out->bytes) ? out->bytes : 0), false);
    }
    return status;
}

/* Begins to exchange longer contents. Stores whether there are any. */
static int begin_contents(kp_group *member, bool *any)
{
    struct kp_wired *wired = member->wired;
    struct kp_wire *wire = wired->wire;
    const int *processors = member->shared->processors;
    int status = KP_OK;
    *any = false;
    for (int i = 0; i < wired->in.count && !status; i++) {
        struct transfer *in = &wired->in.all[i];
        if (is_short(in->bytes))
            continue;
        *any = true;
        status = wire->receive(wire, processors[in->rank], kp_wired_tag(member, in->port),
                               in->place, in->bytes, &in->came, true);
    }
    for (int i = 0; i < wired->out.count && !status; i++) {
        struct transfer *out = &wired->out.all[i];
        if (is_short(out->bytes))
            continue;
        *any = true;
        status = wire->send(wire, processors[out->rank], kp_wired_tag(member, out->port),
                            out->place, out->bytes, true);
    }
    return status;
}

/* Checks that the head that came belongs to this member's call, and learns the length of the
 * contents. */
static int check_head(kp_group *member, struct transfer *in, int round)
{
    struct head head = {0, 0};
    char call[160];
    if (in->came >= sizeof head)
        memcpy(&head, in->memory, sizeof head);
    const bool fits = in->whole ? head.bytes == in->bytes : head.bytes <= in->bytes;
    const size_t with_head = is_short((size_t)head.bytes) ? (size_t)head.bytes : 0;
    if (fits && in->came == sizeof head + with_head && head.mark == member->wired->mark) {
        in->bytes = (size_t)head.bytes;
        return KP_OK;
    }
    kp_call_name(member, call, sizeof call);
    kp_port_error(member, KP_EMISMATCH, round, in->port, in->rank,
                  "processor %d called %s, and what processor %d sent it in that round belongs to "
                  "another call or comes after one",
                  member->self->number, call, kp_member_processor(member, in->rank));
    return kp_wired_broken_by_own(member, round, member->self->error);
}

static int carry_out_round(kp_group *member, int round)
{
    struct kp_wired *wired = member->wired;
    const unsigned limit_ms = member->shared->machine->config.time_limit_ms;
    bool any;
    member->round = round;
    int status = kp_wired_complete(member, begin_heads(member), limit_ms, round);
    for (int i = 0; i < wired->in.count && !status; i++)
        status = check_head(member, &wired->in.all[i], round);
    if (status)
        return status;
    status = begin_contents(member, &any);
    return any ? kp_wired_complete(member, status, limit_ms, round) : status;
}

int kp_wired_round(kp_group *member, int round)
{
    const int held = kp_wired_hold();
    const int status = carry_out_round(member, round);
    kp_wired_release(held);
    return status;
}

const char *kp_wired_came(const kp_group *member, int i)
{
    return member->wired->in.all[i].place;
}
