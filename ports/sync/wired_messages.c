/* The messages of a call's rounds over a wire. */
#include "ports/error.h"
#include "ports/member.h"
#include "ports/sync/wired_data.h"

#include <stdlib.h>
#include <string.h>

/* A round is kept laid out if it has at most so many messages each way. Each takes 4 KiB. */
#define MOST_KEPT 16

void kp_wired_free_transfers(struct kp_transfers *transfers)
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
    const int status = kp_wired_broken_by_own(member, -1, kp_port_refusal(member, &why, -1));
    kp_port_tell_refused(member);
    return status;
}

int kp_wired_close(kp_group *member)
{
    return member->exchanged && kp_exchange_end(member) ? kp_proc_keep_error(member->self) : KP_OK;
}

void kp_wired_next(kp_group *member)
{
    struct kp_wired_round *round = kp_wired_round_of(member);
    struct kp_transfers *in = &round->own.in, *out = &round->own.out;
    round->laid = &round->own;
    round->tag = kp_wired_tag(member, 0);
    in->count = in->long_count = out->count = out->long_count = 0;
    in->any_long = out->any_long = in->any_lone = out->any_lone = round->has_heads = false;
}

void kp_wired_free_kept(struct kp_wired_laid *kept)
{
    if (kept) {
        kp_wired_free_transfers(&kept->in);
        kp_wired_free_transfers(&kept->out);
    }
    free(kept);
}

/* Returns whether contents that are longer than short ones lie in the member's own memory. */
static bool takes_much_memory(const struct kp_transfers *transfers)
{
    bool much = false;
    for (int i = 0; transfers->any_lone && i < transfers->count; i++) {
        const struct kp_transfer *transfer = &transfers->all[i];
        much |=
            transfer->bytes > KP_WIRE_SHORT && transfer->place == transfer->memory + KP_WIRED_ROOM;
    }
    return much;
}

/* Returns whether the round is one short message each way, which a wire may swap. The branch of a
 * lane has no such way, because what a lane begins goes on beside other work. */
static bool can_swap(const kp_group *member, const struct kp_wired_laid *laid)
{
    const struct kp_transfers *in = &laid->in, *out = &laid->out;
    return member->wired->wire->swap && in->count == 1 && out->count == 1 && in->heads->exact &&
           in->heads->length <= KP_WIRE_SHORT && out->heads->length <= KP_WIRE_SHORT;
}

void kp_wired_keep(kp_group *member, struct kp_wired_laid **keeps)
{
    struct kp_wired_round *round = kp_wired_round_of(member);
    if (*keeps || takes_much_memory(&round->own.in) || takes_much_memory(&round->own.out) ||
        round->own.in.any_long || round->own.out.any_long || round->own.in.count > MOST_KEPT ||
        round->own.out.count > MOST_KEPT)
        return;
    struct kp_wired_laid *kept = malloc(sizeof *kept);
    if (!kept)
        return;
    *kept = round->own;
    kept->context = round->context;
    kept->swaps = can_swap(member, kept);
    round->own = (struct kp_wired_laid){.in = {.count = 0}};
    round->laid = *keeps = kept;
}

int kp_wired_grow(kp_group *member, struct kp_transfers *transfers, size_t room)
{
    if (transfers->count == transfers->room) {
        const size_t more = 2 * (size_t)transfers->room + 4;
        struct kp_transfer *all = realloc(transfers->all, more * sizeof *all);
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
    struct kp_transfer *transfer = &transfers->all[transfers->count];
    free(transfer->memory);
    transfer->room = room > KP_WIRE_SHORT ? room : KP_WIRE_SHORT;
    transfer->memory = malloc(KP_WIRED_ROOM + transfer->room);
    if (!transfer->memory)
        goto no_memory;
    return KP_OK;

no_memory:
    return kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for a message of %zu bytes",
                         room);
}

/* --- Longer contents --- */

/* A tag of lone contents has so many bits of the mark. The others tell the length. */
#define MARK_BITS 16
_Static_assert(KP_LEAST_LONE_BITS >= MARK_BITS + KP_WIRED_POWER_BITS + 4, "a length has bits");

/* The longest lone contents: a network may cut longer ones. */
#define LONE_MOST ((size_t)1 << 25)

/* Returns the tag of lone contents, or 0 if they cannot be lone. */
static uint64_t lone_tag(const kp_group *member, int port, size_t bytes)
{
    const struct kp_wire *wire = member->wired->wire;
    if (wire->lone_bits == 0 || bytes > LONE_MOST || kp_member_is_lane(member))
        return 0;
    const unsigned bits = wire->lone_bits - MARK_BITS;
    const uint64_t number = kp_wired_number_of(bytes, bits);
    const uint64_t call = kp_wired_round_of(member)->mark + kp_wired_tag(member, port);
    const uint64_t mark = kp_mix(call) >> (64 - MARK_BITS);
    return number ? wire->most_tag + 1 + (mark << bits | number) : 0;
}

void kp_wired_add_longer(kp_group *member, struct kp_transfers *transfers, int i)
{
    struct kp_transfer *transfer = &transfers->all[i];
    struct kp_wire_message *head = &transfers->heads[i];
    const uint64_t tag = transfer->whole ? lone_tag(member, transfer->port, transfer->bytes) : 0;
    if (tag) {
        transfers->any_lone = transfer->lone = true;
        head->tag = tag;
        head->bytes = transfer->place;
        head->length = transfer->bytes;
        head->exact = true;
    } else if (kp_wired_is_long(transfer->bytes)) {
        transfers->any_long = true;
    } else {
        transfer->place = transfer->memory + KP_WIRED_ROOM;
    }
}

void kp_wired_lone_again(kp_group *member, struct kp_transfers *transfers, int i, char *place)
{
    struct kp_transfer *transfer = &transfers->all[i];
    struct kp_wire_message *head = &transfers->heads[i];
    transfer->place = place ? place : transfer->memory + KP_WIRED_ROOM;
    head->tag = lone_tag(member, transfer->port, transfer->bytes);
    head->bytes = transfer->place;
}

/* Adds the longer contents of transfer i, whose head has come, or is sent. */
static void add_contents(struct kp_transfers *transfers, int i)
{
    struct kp_wire_message *contents = &transfers->longs[transfers->long_count++];
    *contents = transfers->heads[i];
    contents->exact = true;
    contents->bytes = transfers->all[i].place;
    contents->length = transfers->all[i].bytes;
}

__attribute__((noinline)) static int another_call(kp_group *member, const struct kp_transfer *in,
                                                  int round)
{
    char call[160];
    kp_call_name(member, call, sizeof call);
    kp_port_error(member, KP_EMISMATCH, round, in->port, in->rank,
                  "processor %d called %s, and what processor %d sent it in that round belongs to "
                  "another call or comes after one",
                  member->self->number, call, kp_member_processor(member, in->rank));
    return kp_wired_broken_by_own(member, round, member->self->error);
}

/* Ends a round in which a message could not be begun. */
static int broken_at_begin(kp_group *member, int begun, int round)
{
    return kp_wired_complete(member, begun, KP_WIRE_ALL, 0, round);
}

/* Checks a head of which only the last bytes are sent. */
static inline int check_tiny(kp_group *member, const struct kp_wired_round *rounds,
                             const struct kp_transfer *in, size_t sent, int round)
{
    const uint64_t head = kp_wired_head(rounds->mark, in->bytes);
    const bool fits = memcmp(in->memory + KP_WIRED_ROOM - sent,
                             (const char *)&head + KP_WIRED_HEAD - sent, sent) == 0;
    return fits ? KP_OK : another_call(member, in, round);
}

/* Checks that the head that came belongs to this member's call, and learns the length of the
 * contents. */
static inline int check_head(kp_group *member, int i, int round)
{
    struct kp_wired_round *rounds = kp_wired_round_of(member);
    struct kp_transfers *transfers = &rounds->laid->in;
    struct kp_transfer *in = &transfers->all[i];
    uint64_t head[2];
    if (in->lone)
        return KP_OK;
    const size_t sent = kp_wired_head_bytes(in->bytes, in->whole);
    if (sent < KP_WIRED_HEAD)
        return check_tiny(member, rounds, in, sent, round);
    memcpy(head, transfers->heads[i].bytes, sizeof head);
    const bool is_long = head[0] == ~rounds->mark;
    const size_t bytes = is_long     ? (size_t)head[1]
                         : in->whole ? in->bytes
                                     : transfers->heads[i].length - KP_WIRED_HEAD;
    const bool fits = in->whole ? bytes == in->bytes : bytes <= in->bytes;
    if (!fits || !(is_long || head[0] == kp_wired_head(rounds->mark, bytes)))
        return another_call(member, in, round);
    in->bytes = bytes;
    if (is_long)
        add_contents(transfers, i);
    return KP_OK;
}

/* Splits the longer contents of transfer i from their head. */
static void split_long(kp_group *member, int i)
{
    struct kp_wired_round *rounds = kp_wired_round_of(member);
    struct kp_transfer *out = &rounds->laid->out.all[i];
    const uint64_t head[2] = {~rounds->mark, out->bytes};
    memcpy(out->memory, head, sizeof head);
    add_contents(&rounds->laid->out, i);
    rounds->laid->out.heads[i].bytes = out->memory;
    rounds->laid->out.heads[i].length = sizeof head;
}

int kp_wired_begin(kp_group *member, int round)
{
    struct kp_wired_round *rounds = kp_wired_round_of(member);
    struct kp_wire *wire = member->wired->wire;
    struct kp_transfers *in = &rounds->laid->in, *out = &rounds->laid->out;
    member->round = round;
    if (rounds->laid->swaps)
        return KP_OK;
    for (int i = 0; out->any_long && i < out->count; i++) {
        if (kp_wired_is_long(out->all[i].bytes) && !out->all[i].lone)
            split_long(member, i);
    }
    int status = kp_wired_may_begin(member);
    status = status ? status : wire->begin(wire, in->heads, in->count, out->heads, out->count);
    if (!status && out->long_count > 0)
        status = wire->begin(wire, NULL, 0, out->longs, out->long_count);
    return status ? broken_at_begin(member, status, round) : KP_OK;
}

/* The heads have come. Begins to receive the longer contents. */
static inline int take_heads(kp_group *member, int round)
{
    const int count = kp_wired_round_of(member)->laid->in.count;
    int status = KP_OK;
    for (int i = 0; i < count && !status; i++)
        status = check_head(member, i, round);
    return status;
}

int kp_wired_test(kp_group *member, int round)
{
    struct kp_wired *wired = member->wired;
    struct kp_wired_round *rounds = &wired->rounds;
    struct kp_wire *wire = wired->wire;
    const bool longs = rounds->laid->in.any_long || rounds->laid->out.any_long;
    int status =
        wire->test(wire, longs && !rounds->has_heads ? KP_WIRE_RECEIVES : KP_WIRE_ALL, &wired->why);
    if (status == KP_WIRE_WAITS)
        return KP_WAITS;
    if (status)
        return kp_wired_fails(member, status, &wired->why);
    if (rounds->has_heads)
        return KP_OK;
    rounds->has_heads = true;
    status = take_heads(member, round);
    if (status || !longs)
        return status;
    status = wire->begin(wire, rounds->laid->in.longs, rounds->laid->in.long_count, NULL, 0);
    return status ? broken_at_begin(member, status, round) : kp_wired_test(member, round);
}

static int swap(kp_group *member, int round)
{
    struct kp_wired *wired = member->wired;
    struct kp_wire *wire = wired->wire;
    struct kp_wired_laid *laid = wired->rounds.laid;
    int status = kp_wired_may_begin(member);
    if (status)
        return broken_at_begin(member, status, round);
    kp_wired_will_wait(member);
    status = wire->swap(wire, laid->in.heads, laid->out.heads,
                        member->shared->machine->config.time_limit_ms, &wired->why);
    status = kp_wired_has_waited(member, true, status, round);
    return status ? status : check_head(member, 0, round);
}

int kp_wired_end(kp_group *member, int round)
{
    if (kp_wired_round_of(member)->laid->swaps)
        return swap(member, round);
    const struct kp_wired_round *rounds = kp_wired_round_of(member);
    struct kp_wire *wire = member->wired->wire;
    const unsigned limit_ms = member->shared->machine->config.time_limit_ms;
    const bool longs = rounds->laid->in.any_long || rounds->laid->out.any_long;
    int status =
        kp_wired_complete(member, KP_OK, longs ? KP_WIRE_RECEIVES : KP_WIRE_ALL, limit_ms, round);
    status = status ? status : take_heads(member, round);
    if (status || !longs)
        return status;
    status = wire->begin(wire, rounds->laid->in.longs, rounds->laid->in.long_count, NULL, 0);
    return kp_wired_complete(member, status, KP_WIRE_ALL, limit_ms, round);
}

/* --- Data for all members --- */

int kp_wired_swap_pack(kp_group *member, struct kp_wired_rows own, size_t bytes)
{
    const int n = member->shared->size, port = member->shared->machine->k;
    int status = KP_OK;
    kp_wired_next(member);
    for (int i = 1; i < n && !status; i++) {
        const int from = (member->rank - i + n) % n, to = (member->rank + i) % n;
        status = kp_wired_expect(member, from, port, bytes, true, NULL);
        char *out = status ? NULL : kp_wired_out(member, to, port, bytes, true, NULL);
        if (!out)
            return kp_wired_broken_by_own(member, member->round, member->self->error);
        memcpy(out, (char *)own.first + (size_t)to * own.stride, bytes);
    }
    return status;
}

void kp_wired_swap_take(kp_group *member, struct kp_wired_rows others, size_t bytes)
{
    const int n = member->shared->size;
    for (int i = 1; i < n; i++) {
        const int from = (member->rank - i + n) % n;
        memcpy((char *)others.first + (size_t)from * others.stride, kp_wired_came(member, i - 1),
               bytes);
    }
}

int kp_wired_swap(kp_group *member, struct kp_wired_rows own, struct kp_wired_rows others,
                  size_t bytes)
{
    int status = kp_wired_swap_pack(member, own, bytes);
    status = status ? status : kp_wired_round(member, member->round);
    if (!status)
        kp_wired_swap_take(member, others, bytes);
    return status;
}
