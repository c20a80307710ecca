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

static struct transfer *add_transfer(kp_group *member, struct transfers *transfers, int rank,
                                     int port, size_t bytes)
{
    if (transfers->count == transfers->room) {
        int room = 2 * transfers->room + 4;
        struct transfer *more = realloc(transfers->all, (size_t)room * sizeof *more);
        if (!more)
            goto no_memory;
        memset(more + transfers->room, 0, (size_t)(room - transfers->room) * sizeof *more);
        *transfers = (struct transfers){more, transfers->count, room};
    }
    struct transfer *transfer = &transfers->all[transfers->count];
    if (!transfer->memory || transfer->room < bytes) {
        free(transfer->memory);
        transfer->room = bytes;
        transfer->memory = malloc(sizeof(struct head) + bytes);
        if (!transfer->memory)
            goto no_memory;
    }
    transfers->count++;
    transfer->rank = rank;
    transfer->port = port;
    transfer->bytes = bytes;
    return transfer;

no_memory:
    kp_port_error(member, KP_EMEMORY, -1, port, rank, "no memory for a message of %zu bytes",
                  bytes);
    return NULL;
}

int kp_wired_expect(kp_group *member, int rank, int port, size_t bytes, bool whole)
{
    struct transfer *transfer = add_transfer(member, &member->wired->in, rank, port, bytes);
    if (transfer)
        transfer->whole = whole;
    return transfer ? KP_OK : KP_EMEMORY;
}

char *kp_wired_out(kp_group *member, int rank, int port, size_t bytes)
{
    struct transfer *transfer = add_transfer(member, &member->wired->out, rank, port, bytes);
    if (!transfer)
        return NULL;
    struct head head = {member->wired->mark, bytes};
    memcpy(transfer->memory, &head, sizeof head);
    return transfer->memory + sizeof head;
}

static int begin_all(kp_group *member)
{
    struct kp_wired *wired = member->wired;
    struct kp_wire *wire = wired->wire;
    const int *processors = member->shared->processors;
    int status = kp_wired_may_begin(member);
    for (int i = 0; i < wired->in.count && !status; i++) {
        struct transfer *in = &wired->in.all[i];
        status = wire->receive(wire, processors[in->rank], kp_wired_tag(member, in->port),
                               in->memory, sizeof(struct head) + in->bytes, &in->came);
    }
    for (int i = 0; i < wired->out.count && !status; i++) {
        struct transfer *out = &wired->out.all[i];
        status = wire->send(wire, processors[out->rank], kp_wired_tag(member, out->port),
                            out->memory, sizeof(struct head) + out->bytes);
    }
    return status;
}

/* Checks that a received message belongs to this member's call. */
static int check_transfer(kp_group *member, const struct transfer *in, int round)
{
    struct head head;
    char call[160];
    memcpy(&head, in->memory, sizeof head);
    const size_t least = sizeof head + (in->whole ? in->bytes : 0);
    if (in->came >= least && in->came <= sizeof head + in->bytes &&
        head.mark == member->wired->mark)
        return KP_OK;
    kp_call_name(member, call, sizeof call);
    kp_port_error(member, KP_EMISMATCH, round, in->port, in->rank,
                  "processor %d called %s, and what processor %d sent it in that round belongs to "
                  "another call or comes after one",
                  member->self->number, call, kp_member_processor(member, in->rank));
    return kp_wired_broken_by_own(member, round, member->self->error);
}

int kp_wired_round(kp_group *member, int round)
{
    struct kp_wired *wired = member->wired;
    member->round = round;
    int status = kp_wired_complete(member, begin_all(member),
                                   member->shared->machine->config.time_limit_ms, round);
    for (int i = 0; i < wired->in.count && !status; i++)
        status = check_transfer(member, &wired->in.all[i], round);
    return status;
}

const char *kp_wired_came(const kp_group *member, int i)
{
    return member->wired->in.all[i].memory + sizeof(struct head);
}
