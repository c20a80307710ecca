/* One round written by the user: at most k messages out, at most k in, every rule enforced.
 *
 * Bruck et al. 1997, section 1.2: send_and_recv on k ports. A message lies in the slot of its
 * port, at the sender; the receiver names sender and port. */
#include "ports/error.h"
#include "ports/report/trace.h"
#include "ports/sync/wired.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXCHANGE_FINGERPRINT UINT64_C(0x45786368616e)

/* The messages of one round, until it is known that they were taken. */
struct sent {
    int *ports;
    int *peers;
    int count, room;
    uint64_t pass; /* 0: settled */
    uint64_t number;
};

/* The messages named in a round, by sender and port: a table with at least twice as many places, a
 * power of two. What was noted for another pass is as good as empty. */
struct named {
    struct {
        uint64_t pass;
        int peer, port;
    } * places;
    size_t count;
};

/* What a member needs for its exchanges, made with its first. It grows with what is sent and taken:
 * ports may be many, and hardly any of them used. */
struct kp_exchange_state {
    uint64_t number; /* exchanges so far; the same at every member */
    struct sent sent[KP_GENERATIONS];
    struct named taken;
    bool left; /* a message of this round was not taken: */
    uint64_t left_round;
    int left_port, left_peer;
};

void kp_exchange_free(kp_group *seat)
{
    struct kp_exchange_state *state = seat->exchange;
    if (!state)
        return;
    for (int g = 0; g < KP_GENERATIONS; g++) {
        free(seat->shown.slots[g]);
        seat->shown.slots[g] = NULL;
        seat->shown.slot_count[g] = 0;
        free(state->sent[g].ports);
        free(state->sent[g].peers);
    }
    free(state->taken.places);
    free(state);
    seat->exchange = NULL;
    seat->exchanged = false;
}

/* All ports of its processor, however few members the group has. */
static int ports_of(const kp_group *seat)
{
    return seat->shared->machine->k;
}

static int no_memory(kp_group *seat)
{
    return kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for the messages of a round");
}

/* Slots up to that port, for the next pass. Nobody reads those that are there: they are of the last
 * pass but one, and all have been in one since. */
static bool reach_port(kp_group *seat, int port)
{
    unsigned g = kp_generation_of(seat->passes + 1);
    int count = seat->shown.slot_count[g], most = ports_of(seat), more = port + 1;
    void *memory;
    if (port < count)
        return true;
    if (more < 2 * count)
        more = 2 * count < most ? 2 * count : most;
    if (posix_memalign(&memory, KP_SLOT_BYTES, (size_t)more * sizeof(struct kp_slot)) != 0)
        return false;
    memset(memory, 0, (size_t)more * sizeof(struct kp_slot));
    if (count > 0)
        memcpy(memory, seat->shown.slots[g], (size_t)count * sizeof(struct kp_slot));
    free(seat->shown.slots[g]);
    seat->shown.slots[g] = memory;
    seat->shown.slot_count[g] = more;
    return true;
}

/* For the messages that go out in the next pass; those of the last but one are settled. */
static bool reach_count(kp_group *seat, int outs)
{
    struct sent *sent = &seat->exchange->sent[kp_generation_of(seat->passes + 1)];
    if (outs <= sent->room)
        return true;
    free(sent->ports);
    free(sent->peers);
    sent->ports = malloc((size_t)outs * sizeof *sent->ports);
    sent->peers = malloc((size_t)outs * sizeof *sent->peers);
    sent->room = sent->ports && sent->peers ? outs : 0;
    return sent->room > 0;
}

static bool named_reach(struct named *named, int count)
{
    size_t places = 2;
    while (places < 2 * (size_t)count)
        places *= 2;
    if (places <= named->count)
        return true;
    free(named->places);
    named->places = calloc(places, sizeof *named->places);
    named->count = named->places ? places : 0;
    return named->places;
}

/* False if it was noted for this pass before. */
static bool named_note(struct named *named, uint64_t pass, int peer, int port)
{
    size_t mask = named->count - 1, i = ((size_t)peer + 31 * (size_t)port) & mask;
    while (named->places[i].pass == pass) {
        if (named->places[i].peer == peer && named->places[i].port == port)
            return false;
        i = (i + 1) & mask;
    }
    named->places[i].pass = pass;
    named->places[i].peer = peer;
    named->places[i].port = port;
    return true;
}

static int state_create(kp_group *seat)
{
    seat->exchange = calloc(1, sizeof *seat->exchange);
    if (!seat->exchange)
        return no_memory(seat);
    seat->exchange->number = kp_first_counters.exchanges;
    return KP_OK;
}

/* As records and sentences have it: a number that goes on and on, but is never negative. */
static int round_of(uint64_t number)
{
    return (int)(number & INT32_MAX);
}

static void describe(const void *subject, char *text, size_t size)
{
    const kp_group *seat = subject;
    snprintf(text, size, "exchange:n=%d,k=%d,round=%llu", seat->shared->size, ports_of(seat),
             (unsigned long long)(seat->exchange ? seat->exchange->number : 0));
}

/* --- Local errors, before anything is sent --- */

static int check_peer(kp_group *seat, const char *what, int i, int port, int peer)
{
    int n = seat->shared->size, k = ports_of(seat), round = round_of(seat->exchange->number);
    if (port < 0 || port >= k)
        return kp_port_error(seat, KP_EPORT, round, port, peer,
                             "round %d, processor %d: %s[%d].port is %d; it may be 0 ... %d", round,
                             seat->self->number, what, i, port, k - 1);
    if (peer < 0 || peer >= n || peer == seat->rank)
        return kp_port_error(seat, KP_EARGUMENT, round, port, peer,
                             "round %d, processor %d, port %d: %s[%d].peer is %d; it may be "
                             "0 ... %d, not the own rank %d",
                             round, seat->self->number, port, what, i, peer, n - 1, seat->rank);
    return KP_OK;
}

/* That there is memory of that length, as far as it can be known. A capacity may be any. */
static int check_memory(kp_group *seat, const char *what, int i, int port, int peer,
                        const void *data, size_t bytes, bool capacity)
{
    int round = round_of(seat->exchange->number), self = seat->self->number;
    if (bytes > 0 && !data)
        return kp_port_error(seat, KP_EARGUMENT, round, port, peer,
                             "round %d, processor %d, port %d: %s[%d].data is NULL with %zu bytes",
                             round, self, port, what, i, bytes);
    if (bytes > PTRDIFF_MAX && !capacity)
        return kp_port_error(seat, KP_EARGUMENT, round, port, peer,
                             "round %d, processor %d, port %d: %s[%d].bytes is %zu; it may be 0 "
                             "... %zu",
                             round, self, port, what, i, bytes, (size_t)PTRDIFF_MAX);
    return KP_OK;
}

static int check_outgoing(kp_group *seat, const kp_outgoing *out, int outs)
{
    uint64_t pass = seat->passes + 1;
    int round = round_of(seat->exchange->number);
    if (!reach_count(seat, outs))
        return no_memory(seat);
    for (int i = 0; i < outs; i++) {
        int port = out[i].port, peer = out[i].peer;
        int status = check_peer(seat, "out", i, port, peer);
        if (status)
            return status;
        status = check_memory(seat, "out", i, port, peer, out[i].data, out[i].bytes, false);
        if (status)
            return status;
        if (!reach_port(seat, port))
            return no_memory(seat);
        struct kp_slot *slot = &seat->shown.slots[kp_generation_of(pass)][port];
        if (slot->pass == pass)
            return kp_port_error(
                seat, KP_EPORT, round, port, peer,
                "round %d, processor %d: port %d is used twice, the second time by "
                "out[%d] to rank %d",
                round, seat->self->number, port, i, peer);
        slot->pass = pass;
        slot->to = -1; /* nobody's yet */
    }
    return KP_OK;
}

/* --- Places of two messages --- */

static bool are_apart(const kp_incoming *low, const kp_incoming *high)
{
    uintptr_t begin = (uintptr_t)low->data, end = (uintptr_t)high->data;
    return begin <= end && end - begin >= low->bytes;
}

/* Whether they go around memory once, upwards or downwards, so that neighbours tell all: mostly
 * they stand in order, or in one that begins in the middle, as the peers of a rotation do. */
static bool goes_around(const kp_incoming *in, int ins, bool downwards)
{
    int turns = 0;
    for (int i = 0; i < ins && turns <= 1; i++) {
        const kp_incoming *here = &in[i], *next = &in[i + 1 < ins ? i + 1 : 0];
        turns += !are_apart(downwards ? next : here, downwards ? here : next);
    }
    return turns <= 1;
}

static int by_place(const void *a, const void *b)
{
    const kp_incoming *const *x = a, *const *y = b;
    uintptr_t one = (uintptr_t)(*x)->data, other = (uintptr_t)(*y)->data;
    return one < other ? -1 : one > other;
}

/* The numbers of two whose places have bytes in common; false if there are none. A capacity may be
 * any, so it tells nothing; nor is it known where there is no memory to sort them. */
static bool find_shared_place(const kp_incoming *in, int ins, int *one, int *other)
{
    int known = 0;
    for (int i = 0; i < ins; i++)
        known += in[i].bytes > 0 && !in[i].up_to;
    if (known < 2 || (known == ins && (goes_around(in, ins, false) || goes_around(in, ins, true))))
        return false;
    const kp_incoming **sorted = malloc((size_t)ins * sizeof *sorted);
    int count = 0;
    bool found = false;
    for (int i = 0; i < ins && sorted; i++)
        if (in[i].bytes > 0 && !in[i].up_to)
            sorted[count++] = &in[i];
    if (sorted)
        qsort(sorted, (size_t)count, sizeof *sorted, by_place);
    for (int i = 0; i + 1 < count && !found; i++) {
        found = !are_apart(sorted[i], sorted[i + 1]);
        int a = (int)(sorted[i] - in), b = (int)(sorted[i + 1] - in);
        *one = a < b ? a : b;
        *other = a < b ? b : a;
    }
    free(sorted);
    return found;
}

static int check_incoming(kp_group *seat, const kp_incoming *in, int ins)
{
    struct kp_exchange_state *state = seat->exchange;
    uint64_t pass = seat->passes + 1;
    int round = round_of(state->number);
    if (!named_reach(&state->taken, ins))
        return no_memory(seat);
    for (int i = 0; i < ins; i++) {
        int port = in[i].port, peer = in[i].peer;
        int status = check_peer(seat, "in", i, port, peer);
        if (status)
            return status;
        status = check_memory(seat, "in", i, port, peer, in[i].data, in[i].bytes, in[i].up_to);
        if (status)
            return status;
        if (!named_note(&state->taken, pass, peer, port))
            return kp_port_error(seat, KP_EPORT, round, port, peer,
                                 "round %d, processor %d: in[%d] names port %d of rank %d a second "
                                 "time; a message is taken once",
                                 round, seat->self->number, i, port, peer);
    }
    int one, other;
    if (find_shared_place(in, ins, &one, &other))
        return kp_port_error(seat, KP_EARGUMENT, round, in[other].port, in[other].peer,
                             "round %d, processor %d: in[%d] (%zu bytes) and in[%d] (%zu bytes) "
                             "overlap; each message needs a place of its own",
                             round, seat->self->number, one, in[one].bytes, other, in[other].bytes);
    return KP_OK;
}

/* The message out that a place for one in overlaps, -1 if none does. What is sent is read by its
 * receiver while what comes is written. */
static int find_overlapped(const kp_outgoing *out, int outs, const void *data, size_t bytes)
{
    uintptr_t place = (uintptr_t)data;
    for (int i = 0; i < outs && bytes > 0; i++) {
        uintptr_t sent = (uintptr_t)out[i].data;
        if (out[i].bytes > 0 && (sent < place ? place - sent < out[i].bytes : sent - place < bytes))
            return i;
    }
    return -1;
}

/* The memory from the first to the last byte that is sent: who receives outside of it need not look
 * at every message. */
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

static int check_overlap(kp_group *seat, const kp_outgoing *out, int outs, const kp_incoming *in,
                         int i, size_t bytes)
{
    int sent = find_overlapped(out, outs, in->data, bytes);
    int round = round_of(seat->exchange->number);
    if (sent < 0)
        return KP_OK;
    return kp_port_error(seat, KP_EARGUMENT, round, in->port, in->peer,
                         "round %d, processor %d, port %d: in[%d] (%zu bytes) and out[%d] (%zu "
                         "bytes) overlap; what comes in may overlap nothing that is sent",
                         round, seat->self->number, in->port, i, bytes, sent, out[sent].bytes);
}

/* Of a capacity it is known when the message is there. */
static int check_overlaps(kp_group *seat, const kp_outgoing *out, int outs, const kp_incoming *in,
                          int ins)
{
    kp_outgoing extent = extent_of(out, outs);
    int status = KP_OK;
    for (int i = 0; i < ins && !status; i++) {
        if (!in[i].up_to && find_overlapped(&extent, 1, in[i].data, in[i].bytes) >= 0)
            status = check_overlap(seat, out, outs, &in[i], i, in[i].bytes);
    }
    return status;
}

static int check_counts(kp_group *seat, const kp_outgoing *out, int outs, const kp_incoming *in,
                        int ins)
{
    int k = ports_of(seat), round = round_of(seat->exchange->number);
    if (outs < 0 || outs > k || ins < 0 || ins > k)
        return kp_port_error(seat, KP_EPORT, round, -1, -1,
                             "round %d, processor %d: %d messages out and %d in; with %d ports "
                             "each may be 0 ... %d",
                             round, seat->self->number, outs, ins, k, k);
    if ((outs > 0 && !out) || (ins > 0 && !in))
        return kp_port_error(seat, KP_EARGUMENT, round, -1, -1,
                             "round %d, processor %d: %s is NULL with %d messages", round,
                             seat->self->number, outs > 0 && !out ? "out" : "in",
                             outs > 0 && !out ? outs : ins);
    return KP_OK;
}

/* --- The round --- */

static void post(kp_group *seat, const kp_outgoing *out, int outs)
{
    struct kp_exchange_state *state = seat->exchange;
    uint64_t pass = seat->passes + 1, longest = 0;
    struct kp_slot *slots = seat->shown.slots[kp_generation_of(pass)];
    struct sent *sent = &state->sent[kp_generation_of(pass)];
    char *row = kp_port_row(seat, KP_WHOLE_ROW);
    size_t room = seat->shared->row_bytes;
    for (int i = 0; i < outs; i++) {
        size_t bytes = out[i].bytes;
        bool packed = bytes <= room;
        if (kp_slot_post(&slots[out[i].port], pass, out[i].peer, out[i].data, bytes,
                         packed ? row : NULL)) {
            kp_port_expose(seat);
        } else if (bytes > KP_SLOT_PAYLOAD) {
            row += bytes;
            room -= bytes;
        }
        sent->ports[i] = out[i].port;
        sent->peers[i] = out[i].peer;
        longest = bytes > longest ? bytes : longest;
    }
    sent->count = outs;
    sent->pass = pass;
    seat->exchanged = seat->exchanged || outs > 0;
    sent->number = state->number;
    if (outs > 0)
        kp_port_offer_longest(seat, longest);
}

/* The slot of a message that has come; NULL if there is none. */
static struct kp_slot *find_slot(const kp_group *seat, const kp_incoming *in)
{
    const struct kp_shown *shown = &seat->shared->members[in->peer].shown;
    unsigned g = kp_generation_of(seat->passes);
    if (in->port >= shown->slot_count[g])
        return NULL;
    struct kp_slot *slot = &shown->slots[g][in->port];
    return kp_slot_holds(slot, seat->passes, seat->rank) ? slot : NULL;
}

static int take(kp_group *seat, const kp_outgoing *out, int outs, kp_incoming *in, int i)
{
    int round = round_of(seat->exchange->number), own = seat->self->number;
    struct kp_slot *slot = find_slot(seat, in);
    if (!slot)
        return kp_port_error(seat, KP_EMISSING, round, in->port, in->peer,
                             "round %d: processor %d expects a message from port %d of processor "
                             "%d, which sent it none there",
                             round, own, in->port, kp_seat_processor(seat, in->peer));
    slot->taken = seat->passes;
    size_t bytes = (size_t)slot->bytes;
    if (bytes > in->bytes || (bytes < in->bytes && !in->up_to))
        return kp_port_error(seat, KP_ELENGTH, round, in->port, in->peer,
                             "round %d: port %d of processor %d sent processor %d %zu bytes; it "
                             "expects %s%zu",
                             round, in->port, kp_seat_processor(seat, in->peer), own, bytes,
                             in->up_to ? "at most " : "", in->bytes);
    if (in->up_to && check_overlap(seat, out, outs, in, i, bytes))
        return KP_EARGUMENT;
    if (bytes > 0)
        memcpy(in->data, slot->data, bytes);
    in->bytes = in->up_to ? bytes : in->bytes;
    if (seat->trace)
        kp_trace_message(seat, KP_TRACE_TAKEN, round, in->port, in->peer, bytes);
    return KP_OK;
}

/* The round that was made, for the trace. */
static void trace_round(kp_group *seat, const kp_outgoing *out, int outs)
{
    int round = round_of(seat->exchange->number);
    for (int i = 0; i < outs; i++)
        kp_trace_message(seat, KP_TRACE_SENT, round, out[i].port, out[i].peer, out[i].bytes);
    kp_trace_round(seat, KP_TRACE_ROUND, round, KP_TRACE_EXPLICIT);
}

static int exchange(kp_group *seat, const kp_outgoing *out, int outs, kp_incoming *in, int ins)
{
    int status = KP_OK;
    if ((status = kp_wired_lacks_exchange(seat)) ||
        (!seat->exchange && (status = state_create(seat)) != KP_OK) ||
        (status = check_counts(seat, out, outs, in, ins)) ||
        (status = check_outgoing(seat, out, outs)) || (status = check_incoming(seat, in, ins)) ||
        (status = check_overlaps(seat, out, outs, in, ins)))
        return kp_port_refuse(seat, describe, seat);

    kp_port_open(seat, EXCHANGE_FINGERPRINT, describe, seat);
    if (seat->trace)
        kp_trace_open(seat, KP_TRACE_EXCHANGE, 0);
    post(seat, out, outs);
    if (seat->trace)
        kp_trace_sends(seat);
    int round = round_of(seat->exchange->number), passed = kp_port_pass(seat, round);
    if (seat->trace)
        kp_trace_passed(seat);
    if (passed)
        return seat->trace ? kp_trace_failed(seat, KP_TRACE_ROUND, round, passed) : passed;
    kp_error_record first = {.status = KP_OK};
    for (int i = 0; i < ins; i++) {
        int taken = take(seat, out, outs, &in[i], i);
        first = !status && taken ? seat->self->error : first;
        status = status ? status : taken;
    }
    if (seat->trace)
        trace_round(seat, out, outs);
    uint64_t bytes;
    if (kp_port_longest(seat, &bytes))
        kp_port_count(seat, 1, bytes);
    seat->exchange->number++;
    int finished = kp_port_finish(seat);
    if (status) {
        /* What was left of the round before is told by the next call. */
        seat->self->error = first;
        *kp_error_slot() = first;
        return status;
    }
    return finished ? finished : kp_exchange_left(seat);
}

int(kp_exchange)(kp_group *seat, const kp_outgoing *out, int outs, kp_incoming *in, int ins)
{
    int status = kp_port_enter(seat);
    return status ? status : kp_port_leave(seat, exchange(seat, out, outs, in, ins));
}

/* --- Messages that nobody took --- */

static void settle(kp_group *seat, struct sent *sent)
{
    struct kp_exchange_state *state = seat->exchange;
    const struct kp_slot *slots = seat->shown.slots[kp_generation_of(sent->pass)];
    for (int i = 0; i < sent->count && !state->left; i++) {
        if (slots[sent->ports[i]].taken == sent->pass)
            continue;
        state->left = true;
        state->left_round = sent->number;
        state->left_port = sent->ports[i];
        state->left_peer = sent->peers[i];
    }
    sent->pass = 0;
}

/* Later calls go their short ways again as soon as nothing is left to be said. */
static void look_after(kp_group *seat)
{
    const struct sent *sent = seat->exchange->sent;
    seat->exchanged = seat->exchange->left;
    for (int g = 0; g < KP_GENERATIONS; g++)
        seat->exchanged |= sent[g].pass != 0 && sent[g].count > 0;
}

void kp_exchange_settle(kp_group *seat)
{
    for (int g = 0; g < KP_GENERATIONS; g++) {
        struct sent *sent = &seat->exchange->sent[g];
        if (sent->pass != 0 && sent->pass < seat->passes)
            settle(seat, sent);
    }
    look_after(seat);
}

void kp_exchange_forget(kp_group *seat)
{
    for (int g = 0; g < KP_GENERATIONS; g++)
        seat->exchange->sent[g].pass = 0;
    look_after(seat);
}

static int report_left(kp_group *seat)
{
    struct kp_exchange_state *state = seat->exchange;
    if (!state->left)
        return KP_OK;
    state->left = false;
    look_after(seat);
    int round = round_of(state->left_round), own = kp_seat_processor(seat, seat->rank);
    int peer = kp_seat_processor(seat, state->left_peer);
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

int kp_exchange_left(kp_group *seat)
{
    return report_left(seat) ? kp_proc_keep_error(seat->self) : KP_OK;
}

int kp_exchange_left_of(kp_proc *self)
{
    int status = KP_OK;
    pthread_mutex_lock(&self->machine->lock);
    bool last = self->machine->attached == 1; /* nobody is left to take anything */
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

int kp_exchange_end(kp_group *seat)
{
    if (!seat->exchange)
        return KP_OK;
    for (int g = 0; g < KP_GENERATIONS; g++) {
        if (seat->exchange->sent[g].pass != 0)
            settle(seat, &seat->exchange->sent[g]);
    }
    return report_left(seat);
}
