/* kp_exchange carries out one round that the user's program writes itself. In it a processor sends
 * at most k messages and receives at most k messages, and kport checks all rules.
 *
 * Source: Bruck et al. 1997, section 1.2, send_and_recv on k ports. The sender publishes a message
 * in the slot of its port (slot.h). The receiver names the sender and the sender's port. */
#include "ports/error.h"
#include "ports/exchange_wired.h"
#include "ports/member.h"
#include "ports/trace/trace.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXCHANGE_FINGERPRINT UINT64_C(0x45786368616e)

/* The messages that a member sent in one round, until it knows whether receivers took them. */
struct sent {
    int *ports, room; /* the ports of these messages, and the length of this array */
    int count;
    uint64_t episode; /* the episode of the round; 0: the messages are already checked */
    uint64_t number;
};

/* A range of `length` numbers that begins with `begin` and belongs to message i of a list. */
struct extent {
    uint64_t begin, length;
    int i;
};

/* The data of a member for kp_exchange, made at the member's first call. Lists grow with the ports
 * that are used, because a member with many ports may use only few. */
struct kp_exchange_state {
    uint64_t number; /* the number of rounds so far; equal at every member */
    struct sent sent[KP_GENERATIONS];
    struct extent *extents; /* space to compare a round's incoming messages */
    int extent_room;
    struct kp_exchange_pair *pairs; /* by rank; NULL: members share memory */
    bool left; /* a message was not taken; its round, port and receiver follow */
    uint64_t left_round;
    int left_port, left_peer;
};

void kp_exchange_free(kp_group *member)
{
    struct kp_exchange_state *state = member->exchange;
    if (!state)
        return;
    for (int g = 0; g < KP_GENERATIONS; g++) {
        free(member->published.slots[g]);
        member->published.slots[g] = NULL;
        member->published.slot_count[g] = 0;
        free(state->sent[g].ports);
    }
    free(state->extents);
    free(state->pairs);
    free(state);
    member->exchange = NULL;
    member->exchanged = false;
}

/* Returns the number of ports of a processor. (For a small group, kp_ports returns fewer.) */
static int ports_of(const kp_group *member)
{
    return member->shared->machine->k;
}

static int no_memory(kp_group *member)
{
    return kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for the messages of a round");
}

/* Makes this member's slots up to `port` for the next episode. No other member reads the old slots
 * of this generation, because all members have arrived at an episode since they were used. */
static bool reach_port(kp_group *member, int port)
{
    unsigned g = kp_generation_of(member->episodes + 1);
    int count = member->published.slot_count[g], most = ports_of(member), more = port + 1;
    void *memory;
    if (port < count)
        return true;
    if (more < 2 * count)
        more = 2 * count < most ? 2 * count : most;
    if (posix_memalign(&memory, KP_SLOT_BYTES, (size_t)more * sizeof(struct kp_slot)) != 0)
        return false;
    memset(memory, 0, (size_t)more * sizeof(struct kp_slot));
    if (count > 0)
        memcpy(memory, member->published.slots[g], (size_t)count * sizeof(struct kp_slot));
    free(member->published.slots[g]);
    member->published.slots[g] = memory;
    member->published.slot_count[g] = more;
    return true;
}

/* Returns a list with space for `count` items, or NULL. The items of the old list may be lost. */
static void *reach(void *items, int *room, int count, size_t bytes)
{
    if (count <= *room)
        return items;
    free(items);
    items = malloc((size_t)count * bytes);
    *room = items ? count : 0;
    return items;
}

static int state_create(kp_group *member)
{
    struct kp_exchange_state *made = calloc(1, sizeof *made);
    if (made && kp_is_wired(member))
        made->pairs = calloc((size_t)member->shared->size, sizeof *made->pairs);
    if (!made || (kp_is_wired(member) && !made->pairs)) {
        free(made);
        return no_memory(member);
    }
    made->number = kp_first_counters.exchanges;
    member->exchange = made;
    return KP_OK;
}

/* Returns a round's number as an int. It wraps around, but is never negative. */
static int round_of(uint64_t number)
{
    return (int)(number & INT32_MAX);
}

static void describe(const void *subject, char *text, size_t size)
{
    const kp_group *member = subject;
    snprintf(text, size, "exchange:n=%d,k=%d,round=%llu", member->shared->size, ports_of(member),
             (unsigned long long)(member->exchange ? member->exchange->number : 0));
}

/* --- Errors in the member's own arguments, found before it sends anything --- */

/* Sets an error whose sentence begins with the round and the processor. */
__attribute__((format(printf, 5, 6))) static int refuse(kp_group *member, int status, int port,
                                                        int peer, const char *format, ...)
{
    char text[KP_SENTENCE_BYTES];
    int round = round_of(member->exchange->number);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return kp_port_error(member, status, round, port, peer, "round %d, processor %d%s", round,
                         member->self->number, text);
}

/* Checks the port and the peer of a message and, as far as possible, its memory. If `capacity` is
 * true, `bytes` is only an upper limit for the length, and may have any value. */
static int check_message(kp_group *member, const char *what, int i, const kp_outgoing *message,
                         bool capacity)
{
    int n = member->shared->size, k = ports_of(member), port = message->port, peer = message->peer;
    if (port < 0 || port >= k)
        return refuse(member, KP_EPORT, port, peer, ": %s[%d].port is %d; it may be 0 ... %d", what,
                      i, port, k - 1);
    if (peer < 0 || peer >= n || peer == member->rank)
        return refuse(member, KP_EARGUMENT, port, peer,
                      ", port %d: %s[%d].peer is %d; it may be 0 ... %d, not the own rank %d", port,
                      what, i, peer, n - 1, member->rank);
    if (message->bytes > 0 && !message->data)
        return refuse(
            member, KP_EARGUMENT, port, peer,
            ", port %d: %s[%d].data is NULL with %zu bytes; only with 0 bytes it may be NULL", port,
            what, i, message->bytes);
    if (message->bytes > PTRDIFF_MAX && !capacity)
        return refuse(member, KP_EARGUMENT, port, peer,
                      ", port %d: %s[%d].bytes is %zu; it may be 0 ... %zu", port, what, i,
                      message->bytes, (size_t)PTRDIFF_MAX);
    return KP_OK;
}

static int check_outgoing(kp_group *member, const kp_outgoing *out, int outs)
{
    uint64_t episode = member->episodes + 1;
    struct sent *sent = &member->exchange->sent[kp_generation_of(episode)];
    sent->ports = reach(sent->ports, &sent->room, outs, sizeof *sent->ports);
    if (outs > sent->room)
        return no_memory(member);
    for (int i = 0; i < outs; i++) {
        int port = out[i].port, status = check_message(member, "out", i, &out[i], false);
        if (status)
            return status;
        if (!reach_port(member, port))
            return no_memory(member);
        struct kp_slot *slot = &member->published.slots[kp_generation_of(episode)][port];
        if (slot->episode == episode)
            return refuse(member, KP_EPORT, port, out[i].peer,
                          ": port %d is used twice, the second time by out[%d] to rank %d", port, i,
                          out[i].peer);
        slot->episode = episode;
        slot->to = -1; /* no message is in the slot yet */
    }
    return KP_OK;
}

/* --- Overlapping messages --- */

/* Returns whether the range `low` ends before the range `high` begins. */
static bool are_apart(const struct extent *low, const struct extent *high)
{
    return low->begin <= high->begin && high->begin - low->begin >= low->length;
}

/* Goes through the ranges in a circle, with the first after the last. Returns whether each range
 * lies above the range before it (below, if `downwards`), with at most one exception. Then no
 * ranges overlap. Most lists are sorted, or a rotation of a sorted list, and pass this check. */
static bool goes_around(const struct extent *all, int count, bool downwards)
{
    int turns = 0;
    for (int i = 0; i < count && turns <= 1; i++) {
        const struct extent *here = &all[i], *next = &all[i + 1 < count ? i + 1 : 0];
        turns += !are_apart(downwards ? next : here, downwards ? here : next);
    }
    return turns <= 1;
}

static int by_begin(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin ? 1 : x->i - y->i;
}

/* Finds two messages whose ranges overlap, and stores their numbers `one` < `other`. Of several
 * pairs it chooses the one with the least `other`. Returns false if no ranges overlap. */
static bool find_clash(struct extent *all, int count, int *one, int *other)
{
    if (goes_around(all, count, false) || goes_around(all, count, true))
        return false;
    qsort(all, (size_t)count, sizeof *all, by_begin);
    *other = INT_MAX;
    for (int i = 0; i + 1 < count; i++) {
        int a = all[i].i, b = all[i + 1].i, later = a < b ? b : a;
        if (later > *other || are_apart(&all[i], &all[i + 1]))
            continue;
        *one = a < b ? a : b;
        *other = later;
    }
    return *other < INT_MAX;
}

static int check_incoming(kp_group *member, const kp_incoming *in, int ins)
{
    struct kp_exchange_state *state = member->exchange;
    int one, other, named, count = 0, status = KP_OK;
    state->extents = reach(state->extents, &state->extent_room, ins, sizeof *state->extents);
    if (ins > state->extent_room)
        return no_memory(member);
    struct extent *extents = state->extents;
    for (named = 0; named < ins; named++) {
        const kp_incoming *here = &in[named];
        const kp_outgoing seen = {here->port, here->peer, here->data, here->bytes};
        status = check_message(member, "in", named, &seen, here->up_to);
        if (status)
            break;
        extents[named] = (struct extent){(uint64_t)seen.peer << 32 | (uint64_t)seen.port, 1, named};
    }
    if (find_clash(extents, named, &one, &other))
        return refuse(member, KP_EPORT, in[other].port, in[other].peer,
                      ": in[%d] names port %d of rank %d a second time; a message is taken once",
                      other, in[other].port, in[other].peer);
    for (int i = 0; i < ins && !status; i++) {
        /* An upper limit may be longer than the memory at `data`, so it proves no overlap. */
        if (in[i].bytes > 0 && !in[i].up_to)
            extents[count++] = (struct extent){(uintptr_t)in[i].data, in[i].bytes, i};
    }
    if (find_clash(extents, count, &one, &other))
        return refuse(member, KP_EARGUMENT, in[other].port, in[other].peer,
                      ": in[%d] (%zu bytes) and in[%d] (%zu bytes) overlap; each message needs a "
                      "place of its own",
                      one, in[one].bytes, other, in[other].bytes);
    return status;
}

/* Returns the number of an outgoing message that overlaps the incoming memory at `data`, or -1. An
 * overlap is an error, because a receiver may read the message while this member writes to the
 * memory. */
static int find_overlapped(const kp_outgoing *out, int outs, const void *data, size_t bytes)
{
    uintptr_t begin = (uintptr_t)data;
    for (int i = 0; i < outs && bytes > 0; i++) {
        uintptr_t sent = (uintptr_t)out[i].data;
        if (out[i].bytes > 0 && (sent < begin ? begin - sent < out[i].bytes : sent - begin < bytes))
            return i;
    }
    return -1;
}

/* Returns the range from the first to the last outgoing byte. Incoming memory outside this range
 * need not be compared with every message. */
static kp_outgoing extent_of(const kp_outgoing *out, int outs)
{
    uintptr_t begin = UINTPTR_MAX, end = 0;
    for (int i = 0; i < outs; i++) {
        uintptr_t at = (uintptr_t)out[i].data;
        if (out[i].bytes == 0)
            continue;
        begin = at < begin ? at : begin;
        end = at + out[i].bytes > end ? at + out[i].bytes : end;
    }
    return (kp_outgoing){.data = (const void *)begin, .bytes = end > begin ? end - begin : 0};
}

static int check_overlap(kp_group *member, const kp_outgoing *out, int outs, const kp_incoming *in,
                         int i, size_t bytes)
{
    int sent = find_overlapped(out, outs, in->data, bytes);
    if (sent < 0)
        return KP_OK;
    return refuse(
        member, KP_EARGUMENT, in->port, in->peer,
        ", port %d: in[%d] (%zu bytes) and out[%d] (%zu bytes) overlap; what comes in may "
        "overlap nothing that is sent",
        in->port, i, bytes, sent, out[sent].bytes);
}

/* Checks that incoming messages overlap no outgoing message. Some incoming messages have only an
 * upper limit for their length. `take` checks these later, when their lengths are known. */
static int check_overlaps(kp_group *member, const kp_outgoing *out, int outs, const kp_incoming *in,
                          int ins)
{
    kp_outgoing extent = extent_of(out, outs);
    int status = KP_OK;
    for (int i = 0; i < ins && !status; i++) {
        if (!in[i].up_to && find_overlapped(&extent, 1, in[i].data, in[i].bytes) >= 0)
            status = check_overlap(member, out, outs, &in[i], i, in[i].bytes);
    }
    return status;
}

static int check_counts(kp_group *member, const kp_outgoing *out, int outs, const kp_incoming *in,
                        int ins)
{
    int k = ports_of(member);
    bool no_out = outs > 0 && !out;
    if (outs < 0 || outs > k || ins < 0 || ins > k)
        return refuse(member, KP_EPORT, -1, -1,
                      ": %d messages out and %d in; with %d ports each may be 0 ... %d", outs, ins,
                      k, k);
    if (no_out || (ins > 0 && !in))
        return refuse(member, KP_EARGUMENT, -1, -1,
                      ": %s is NULL with %d messages; only with 0 messages it may be NULL",
                      no_out ? "out" : "in", no_out ? outs : ins);
    return KP_OK;
}

/* --- The round --- */

static void post(kp_group *member, const kp_outgoing *out, int outs)
{
    struct kp_exchange_state *state = member->exchange;
    uint64_t episode = member->episodes + 1, longest = 0;
    struct kp_slot *slots = member->published.slots[kp_generation_of(episode)];
    struct sent *sent = &state->sent[kp_generation_of(episode)];
    char *buffer = kp_member_buffer(member, KP_WHOLE_BUFFER);
    size_t room = member->shared->buffer_bytes;
    for (int i = 0; i < outs; i++) {
        size_t bytes = out[i].bytes;
        bool packed = bytes <= room;
        if (kp_slot_post(&slots[out[i].port], episode, out[i].peer, out[i].data, bytes,
                         packed ? buffer : NULL)) {
            kp_port_lend(member);
        } else if (bytes > KP_SLOT_PAYLOAD) {
            buffer += bytes;
            room -= bytes;
        }
        sent->ports[i] = out[i].port;
        longest = bytes > longest ? bytes : longest;
    }
    sent->count = outs;
    sent->episode = episode;
    member->exchanged = member->exchanged || outs > 0;
    sent->number = state->number;
    if (outs > 0)
        kp_port_offer_longest(member, longest);
}

/* Finds an incoming message, stores its address and length, and marks the message as taken. Returns
 * false if there is no such message. */
static bool find_message(const kp_group *member, const kp_incoming *in, const void **data,
                         size_t *bytes)
{
    if (kp_is_wired(member))
        return kp_exchange_find(&member->exchange->pairs[in->peer], in->port, data, bytes);
    const struct kp_published *published = &member->shared->members[in->peer].published;
    unsigned g = kp_generation_of(member->episodes);
    if (in->port >= published->slot_count[g])
        return false;
    struct kp_slot *slot = &published->slots[g][in->port];
    if (!kp_slot_holds(slot, member->episodes, member->rank))
        return false;
    slot->taken = member->episodes;
    *data = slot->data;
    *bytes = (size_t)slot->bytes;
    return true;
}

/* Sets the error of a message that is missing (`came` NULL) or has another length. */
static int refuse_message(kp_group *member, const kp_incoming *in, const size_t *came)
{
    const int round = round_of(member->exchange->number);
    char at[KP_WHERE_WORDS], expected[64] = "a message", sent[32] = "none there";
    kp_call_where(member, at);
    if (came && snprintf(sent, sizeof sent, "%zu", *came) > 0)
        snprintf(expected, sizeof expected, "%s%zu bytes", in->up_to ? "at most " : "", in->bytes);
    return kp_port_error(member, came ? KP_ELENGTH : KP_EMISSING, round, in->port, in->peer,
                         "round %d: processor %d%s expects %s from port %d of processor %d, which "
                         "sent it %s",
                         round, member->self->number, at, expected, in->port,
                         kp_member_processor(member, in->peer), sent);
}

static int take(kp_group *member, const kp_outgoing *out, int outs, kp_incoming *in, int i)
{
    const void *data;
    size_t bytes;
    const bool came = find_message(member, in, &data, &bytes);
    if (!came || bytes > in->bytes || (bytes < in->bytes && !in->up_to))
        return refuse_message(member, in, came ? &bytes : NULL);
    if (in->up_to && check_overlap(member, out, outs, in, i, bytes))
        return KP_EARGUMENT;
    if (bytes > 0)
        memcpy(in->data, data, bytes);
    in->bytes = in->up_to ? bytes : in->bytes;
    if (member->trace)
        kp_trace_message(member, KP_TRACE_TAKEN, round_of(member->exchange->number), in->port,
                         in->peer, bytes);
    return KP_OK;
}

/* Exchanges a round's messages over a wire. Notes which of this member's messages are wanted. */
static int deliver(kp_group *member, const kp_outgoing *out, int outs, const kp_incoming *in,
                   int ins)
{
    struct kp_exchange_state *state = member->exchange;
    struct kp_slot *slots = member->published.slots[kp_generation_of(member->episodes)];
    int status = kp_exchange_deliver(member, state->pairs, out, outs, in, ins);
    if (status == KP_EMEMORY)
        return kp_wired_refuse(member, describe, member);
    for (int i = 0; i < outs && !status; i++)
        slots[out[i].port].taken =
            member->episodes - !kp_exchange_is_wanted(&state->pairs[out[i].peer], out[i].port);
    return status;
}

static void trace_round(kp_group *member, const kp_outgoing *out, int outs)
{
    int round = round_of(member->exchange->number);
    for (int i = 0; i < outs; i++)
        kp_trace_message(member, KP_TRACE_SENT, round, out[i].port, out[i].peer, out[i].bytes);
    kp_trace_round(member, KP_TRACE_ROUND, round, KP_TRACE_EXPLICIT);
}

static int exchange(kp_group *member, const kp_outgoing *out, int outs, kp_incoming *in, int ins)
{
    int status = KP_OK;
    if ((!member->exchange && (status = state_create(member)) != KP_OK) ||
        (status = check_counts(member, out, outs, in, ins)) ||
        (status = check_outgoing(member, out, outs)) ||
        (status = check_incoming(member, in, ins)) ||
        (status = check_overlaps(member, out, outs, in, ins)))
        return kp_port_refuse(member, describe, member);

    kp_port_open(member, EXCHANGE_FINGERPRINT, describe, member);
    if (member->trace)
        kp_trace_open(member, KP_TRACE_EXCHANGE, 0);
    post(member, out, outs);
    if (member->trace)
        kp_trace_sends(member);
    int round = round_of(member->exchange->number), passed = kp_port_episode(member, round);
    if (member->trace)
        kp_trace_passed(member);
    if (passed)
        return member->trace ? kp_trace_failed(member, KP_TRACE_ROUND, round, passed) : passed;
    if (kp_is_wired(member) && (status = deliver(member, out, outs, in, ins)))
        return status;
    kp_error_record first = {.status = KP_OK};
    for (int i = 0; i < ins; i++) {
        int taken = take(member, out, outs, &in[i], i);
        first = !status && taken ? member->self->error : first;
        status = status ? status : taken;
    }
    if (member->trace)
        trace_round(member, out, outs);
    uint64_t bytes;
    if (kp_port_longest(member, &bytes))
        kp_member_count(member, 1, bytes);
    member->exchange->number++;
    int finished = kp_port_finish(member);
    if (status) {
        /* Messages of the previous round that no receiver took are reported by the next call. */
        return kp_proc_set_error(member->self, &first);
    }
    /* seldom taken: the group fails as the round ends */
    return finished ? finished : kp_exchange_left(member);
}

int kp_exchange(kp_group *member, const kp_outgoing *out, int outs, kp_incoming *in, int ins)
{
    int status = kp_member_enter(member);
    return status ? status : kp_member_leave(member, exchange(member, out, outs, in, ins));
}

/* --- Messages that no receiver took --- */

static void settle(kp_group *member, struct sent *sent)
{
    struct kp_exchange_state *state = member->exchange;
    const struct kp_slot *slots = member->published.slots[kp_generation_of(sent->episode)];
    for (int i = 0; i < sent->count && !state->left; i++) {
        state->left = slots[sent->ports[i]].taken != sent->episode;
        state->left_round = sent->number;
        state->left_port = sent->ports[i];
        state->left_peer = slots[sent->ports[i]].to;
    }
    sent->episode = 0;
}

/* Updates `exchanged`. If no message is left to check or report, later calls take their short
 * paths. */
static void look_after(kp_group *member)
{
    const struct sent *sent = member->exchange->sent;
    member->exchanged = member->exchange->left;
    for (int g = 0; g < KP_GENERATIONS; g++)
        member->exchanged |= sent[g].episode != 0 && sent[g].count > 0;
}

void kp_exchange_settle(kp_group *member)
{
    for (int g = 0; g < KP_GENERATIONS; g++) {
        struct sent *sent = &member->exchange->sent[g];
        if (sent->episode != 0 && sent->episode < member->episodes)
            settle(member, sent);
    }
    look_after(member);
}

void kp_exchange_forget(kp_group *member)
{
    for (int g = 0; g < KP_GENERATIONS; g++)
        member->exchange->sent[g].episode = 0;
    look_after(member);
}

static int report_left(kp_group *member)
{
    struct kp_exchange_state *state = member->exchange;
    if (!state->left)
        return KP_OK;
    state->left = false;
    look_after(member);
    int round = round_of(state->left_round), own = kp_member_processor(member, member->rank);
    int peer = kp_member_processor(member, state->left_peer);
    int status = kp_set_error(KP_EUNTAKEN,
                              "round %d: processor %d sent a message on port %d to "
                              "processor %d, which did not take it",
                              round, own, state->left_port, peer);
    kp_error_record *slot = kp_error_slot();
    slot->processor = own;
    slot->round = round;
    slot->port = state->left_port;
    slot->peer = peer;
    return status;
}

int kp_exchange_left(kp_group *member)
{
    return report_left(member) ? kp_proc_keep_error(member->self) : KP_OK;
}

int kp_exchange_left_of(kp_proc *self)
{
    int status = KP_OK;
    pthread_mutex_lock(&self->machine->lock);
    bool last = self->machine->attached == 1; /* no other processor is left that could receive */
    for (struct kp_shared *s = self->machine->groups; s && !status; s = s->next) {
        for (int i = 0; i < s->size && !status; i++) {
            if (s->processors[i] != self->number || !s->members[i].exchange)
                continue;
            status = last ? kp_exchange_end(&s->members[i]) : report_left(&s->members[i]);
        }
    }
    pthread_mutex_unlock(&self->machine->lock);
    return status;
}

int kp_exchange_end(kp_group *member)
{
    if (!member->exchange)
        return KP_OK;
    for (int g = 0; g < KP_GENERATIONS; g++) {
        if (member->exchange->sent[g].episode != 0)
            settle(member, &member->exchange->sent[g]);
    }
    return report_left(member);
}
