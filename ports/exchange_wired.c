#include "ports/exchange_wired.h"

#include "ports/shared.h"

#include <string.h>

/* A notice is all that one member sends to another in a round of kp_exchange. It contains the names
 * of the messages that it carries, then the names of the messages that its writer wants, then the
 * messages. A name is a message's port and length. */
struct name {
    int64_t port;
    uint64_t bytes;
};

static size_t bytes_of(const struct kp_exchange_share *share)
{
    return (size_t)((share->messages + share->wanted) * sizeof(struct name) + share->bytes);
}

static void write_name(struct kp_exchange_pair *pair, int port, size_t bytes)
{
    const struct name name = {port, bytes};
    memcpy(pair->names, &name, sizeof name);
    pair->names += sizeof name;
}

static int begin_notices(kp_group *member, struct kp_exchange_pair *pairs)
{
    kp_wired_next(member);
    for (int i = 0; i < member->shared->size; i++) {
        struct kp_exchange_pair *pair = &pairs[i];
        const size_t comes = bytes_of(&pair->comes), gives = bytes_of(&pair->gives);
        if (comes > 0 && kp_wired_expect(member, i, 0, comes, true, NULL))
            return KP_EMEMORY;
        if (gives > 0 && !(pair->names = kp_wired_out(member, i, 0, gives, true, NULL)))
            return KP_EMEMORY;
        pair->data = gives > 0 ? pair->names + (gives - pair->gives.bytes) : NULL;
    }
    return KP_OK;
}

int kp_exchange_deliver(kp_group *member, struct kp_exchange_pair *pairs, const kp_outgoing *out,
                        int outs, const kp_incoming *in, int ins)
{
    const int n = member->shared->size;
    for (int i = 0; i < n; i++)
        pairs[i].gives = (struct kp_exchange_share){.messages = 0};
    for (int i = 0; i < outs; i++) {
        pairs[out[i].peer].gives.messages++;
        pairs[out[i].peer].gives.bytes += out[i].bytes;
    }
    for (int i = 0; i < ins; i++)
        pairs[in[i].peer].gives.wanted++;
    int status =
        kp_wired_swap(member, (struct kp_wired_rows){&pairs->gives, sizeof *pairs},
                      (struct kp_wired_rows){&pairs->comes, sizeof *pairs}, sizeof pairs->gives);
    status = status ? status : begin_notices(member, pairs);
    if (status)
        return status;
    for (int i = 0; i < outs; i++) {
        struct kp_exchange_pair *pair = &pairs[out[i].peer];
        write_name(pair, out[i].port, out[i].bytes);
        if (out[i].bytes > 0)
            memcpy(pair->data, out[i].data, out[i].bytes);
        pair->data += out[i].bytes;
    }
    for (int i = 0; i < ins; i++)
        write_name(&pairs[in[i].peer], in[i].port, in[i].bytes);
    status = kp_wired_round(member, member->round);
    for (int i = 0, next = 0; i < n && !status; i++)
        pairs[i].came = bytes_of(&pairs[i].comes) > 0 ? kp_wired_came(member, next++) : NULL;
    return status;
}

/* Finds the name with this port among the names number `first` to `last` - 1 of a notice. Stores in
 * `before` the total length of the messages whose names come before it. */
static bool find_name(const struct kp_exchange_pair *pair, uint64_t first, uint64_t last, int port,
                      struct name *name, size_t *before)
{
    *before = 0;
    for (uint64_t i = first; i < last; i++) {
        memcpy(name, pair->came + i * sizeof *name, sizeof *name);
        if (name->port == port)
            return true;
        *before += (size_t)name->bytes;
    }
    return false;
}

bool kp_exchange_find(const struct kp_exchange_pair *pair, int port, const void **data,
                      size_t *bytes)
{
    const struct kp_exchange_share *comes = &pair->comes;
    struct name name;
    size_t before;
    if (!find_name(pair, 0, comes->messages, port, &name, &before))
        return false;
    *data = pair->came + (comes->messages + comes->wanted) * sizeof name + before;
    *bytes = (size_t)name.bytes;
    return true;
}

bool kp_exchange_is_wanted(const struct kp_exchange_pair *pair, int port)
{
    struct name name;
    size_t before;
    return find_name(pair, pair->comes.messages, pair->comes.messages + pair->comes.wanted, port,
                     &name, &before);
}
