/* Calls whose blocks have lengths of their own, if every member has a port for every other one.
 *
 * Then one round is the optimum for any lengths: each block goes straight from its sender to its
 * receiver. So the members need not know all lengths to choose an algorithm. That each sender's
 * length is its receiver's costs no episode of its own either. Each member adds to its fingerprint
 * a hash of every length with which it sends, and subtracts one of every length that it expects.
 * The barrier adds up the fingerprints of all members. If all lengths agree, these hashes cancel
 * out; otherwise they do so in one of 2^44 cases. Before that episode no data moves.
 *
 * A sender's eager buffer has a slot for each receiver, or one slot if all get the same block. A
 * block that fits lies in the slot. Of a longer block the slot has the address, and its receiver
 * copies it from there. Where all send to one, the senders copy longer blocks, as many can do so at
 * the same time. Both ends know the block's length, so nothing else has to be told.
 *
 * Source: folklore; the comparison is a sum of random fingerprints, as in the barrier itself. */
#include "lib/lengths/direct.h"

#include "lib/execute/blocks.h"
#include "lib/execute/copy.h"
#include "lib/layout/kept.h"
#include "lib/lengths/check.h"
#include "lib/problem/operation.h"
#include "lib/problem/operator.h"
#include "lib/problem/problem.h"
#include "lib/tune/profile.h"
#include "ports/member.h"

#include <stdio.h>
#include <string.h>

/* Makes the fingerprints of these calls differ from those of others. */
#define DIRECT      UINT64_C(0x446972656374)
#define DIRECT_LAID UINT64_C(0x4c61794469726563)

#define SLOT_ALIGNMENT ((size_t)16) /* operands of any type lie in slots */

#define GOES_OTHERWISE 1u /* a bit with which a member arrives whose blocks do not go directly */

static size_t slot_bytes(const kp_group *member, kp_operation operation)
{
    const size_t others = (size_t)kp_port_size(member) - 1, all = kp_member_buffer_bytes(member);
    const bool each = kp_operation_blocks(operation, KP_OUT) == KP_BLOCK_EACH;
    return (each ? all / others : all) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
}

static bool leaves_open(const kp_hints *hints)
{
    static const kp_hints open;
    return !hints ||
           (!hints->algorithm && memcmp(hints->values, open.values, sizeof open.values) == 0);
}

bool kp_direct_serves(const kp_group *member, const kp_arguments *a)
{
    const int n = kp_port_size(member);
    return n > 1 && kp_port_ports(member) >= n - 1 && !kp_is_wired(member) &&
           !kp_member_is_lane(member) && !kp_member_is_traced(member) && leaves_open(a->hints) &&
           kp_member_buffer_bytes(member) % SLOT_ALIGNMENT == 0 &&
           slot_bytes(member, a->operation) > 0;
}

/* --- Lengths --- */

/* Returns a number for the elements of a block. Blocks with the same elements have the same number.
 */
static uint64_t signature_of(const struct kp_side *side, size_t i)
{
    const kp_layout *layout = kp_side_layout(side, i);
    if (!layout)
        return 0;
    return layout->signature.only != KP_SIGNATURE_MIXED
               ? (uint64_t)layout->signature.only
               : kp_signature_number(kp_signature_repeated(layout->signature, side->counts[i]));
}

/* Returns a hash of a block's length and elements. `which` says which of the call's blocks it is;
 * its sender and its receiver pass the same number. */
static uint64_t hash_of(const struct kp_side *side, size_t i, uint64_t which, size_t bytes)
{
    const uint64_t signature = bytes > 0 ? signature_of(side, i) : 0;
    return kp_mix(which * UINT64_C(0x9e3779b97f4a7c15) + bytes * UINT64_C(0xd6e8feb86659fd93) +
                  signature * UINT64_C(0xa0761d6478bd642f));
}

/* Returns the number of the block at place i of a buffer. */
static uint64_t number_of(const struct kp_direct *d, kp_space space, size_t i)
{
    if (d->out_each && d->in_each)
        return space == KP_OUT ? d->rank * d->n + i : i * d->n + d->rank;
    return (space == KP_OUT ? d->out_each : d->in_each) ? i : d->rank;
}

/* Returns whether the block at place i of a buffer stays at its member. */
static bool stays(const struct kp_direct *d, kp_space space, size_t i)
{
    return (space == KP_OUT ? d->out_each : d->in_each) ? i == d->rank
                                                        : d->rooted && d->rank == d->root;
}

/* Adds up the hashes of a buffer's blocks. Stores the longest block to or from another member. A
 * block that goes to all, and a count that all have told, stand for n of them. */
static uint64_t add_up(const struct kp_direct *d, kp_space space, size_t *longest)
{
    const struct kp_side *side = space == KP_OUT ? &d->call.out : &d->call.in;
    const bool by_all = space == KP_OUT ? !d->out_each && !d->rooted : d->op != NULL;
    uint64_t sum = 0;
    *longest = 0;
    for (size_t i = 0; i < side->blocks; i++) {
        const size_t bytes = kp_side_bytes(side, i);
        sum += hash_of(side, i, number_of(d, space, i), bytes);
        if (bytes > *longest && !stays(d, space, i))
            *longest = bytes;
    }
    return by_all ? sum * (uint64_t)d->n : sum;
}

/* --- What follows from the arguments --- */

/* Returns whether the blocks of a buffer lie like bytes. */
static bool is_plain(const struct kp_side *side)
{
    for (size_t i = 0; i < (side->layouts ? side->blocks : side->blocks > 0); i++) {
        const kp_layout *layout = kp_side_layout(side, i);
        if (layout && !kp_layout_is_plain(layout))
            return false;
    }
    return true;
}

/* Returns whether the member's own blocks can go directly. Data with gaps cannot. In place, a long
 * block would be overwritten before its receiver has read it, and operands before they are
 * combined. */
static bool can_go(const struct kp_direct *d)
{
    if (d->call.in_place && (d->op || (d->out_each && d->in_each && d->longest_out > d->slot)))
        return false;
    return is_plain(&d->call.out) && is_plain(&d->call.in);
}

int kp_direct_prepare(kp_group *member, const kp_arguments *a, struct kp_lengths *own,
                      struct kp_direct *d)
{
    const struct kp_operation_row *row = kp_operation_row(a->operation);
    uint64_t op = 0;
    d->member = member;
    d->n = (size_t)kp_port_size(member);
    d->rank = (size_t)kp_port_rank(member);
    d->root = (size_t)a->root;
    d->rooted = row->out_holder == KP_HELD_BY_ROOT || row->in_holder == KP_HELD_BY_ROOT;
    d->out_each = row->out == KP_BLOCK_EACH;
    d->in_each = row->in == KP_BLOCK_EACH;
    d->slot = slot_bytes(member, a->operation);
    d->op = row->operands ? a->op : NULL;
    const int status = kp_lengths_resolve(member, a, own, &d->call);
    if (status)
        return status;
    if (d->op) {
        const kp_problem p = {.operation = a->operation, .type = a->type, .op = a->op};
        op = kp_call_operator(&p, true);
        d->loops = kp_operator_loops(a->op, a->type);
    }
    d->fingerprint = kp_call_fingerprint(
        kp_hash(kp_has_layouts(a) ? DIRECT_LAID : DIRECT, (uint64_t)a->operation), a->root, op);
    d->difference = add_up(d, KP_OUT, &d->longest_out);
    d->difference -= add_up(d, KP_IN, &d->longest_in);
    d->goes = can_go(d);
    d->past_cache = kp_machine_tuned(member)->thresholds.bytes[KP_PAST_CACHE];
    return KP_OK;
}

/* --- Blocks --- */

/* Returns how many bytes lie in the slot of a block. */
static size_t bytes_in_slot(const struct kp_direct *d, size_t bytes)
{
    return bytes <= d->slot ? bytes : sizeof(char *);
}

/* Returns where the slot of a receiver begins among those of a sender. */
static size_t place_of_slot(const struct kp_direct *d, size_t sender, size_t receiver)
{
    return d->out_each ? (receiver - (receiver > sender)) * d->slot : 0;
}

/* Returns whether the sender copies a block to its receiver. */
static bool is_put(const struct kp_direct *d, size_t bytes)
{
    return bytes > d->slot && d->rooted && d->in_each;
}

/* Returns whether copies of long blocks bypass the cache. `longest` is the longest block of all
 * members, so all of them decide alike as far as it matters. */
static bool is_past_cache(const struct kp_direct *d, uint64_t longest)
{
    const size_t blocks = d->rooted ? d->n : d->n * d->n;
    return longest > d->slot && longest > d->past_cache / 2 / blocks;
}

static void copy_block(const struct kp_direct *d, char *to, const char *from, size_t bytes,
                       bool past_cache)
{
    if (past_cache && bytes > d->slot)
        kp_copy_past_cache(to, from, bytes);
    else
        kp_copy(to, from, bytes);
}

/* Puts the outgoing blocks in slots. Returns the block of this member for itself, if it has one. */
static char *pack(const struct kp_direct *d)
{
    char *const slots = kp_member_buffer(d->member, KP_WHOLE_BUFFER), *own = NULL;
    const struct kp_side *side = &d->call.out;
    size_t end = 0;
    for (size_t i = 0; i < side->blocks; i++) {
        const size_t bytes = kp_side_bytes(side, i);
        char *block = side->data + kp_side_place(side, i, &end);
        const bool remains = stays(d, KP_OUT, i);
        own = remains || !d->out_each ? block : own;
        if (bytes == 0 || remains)
            continue;
        char *slot = kp_member_has_near(d->member, bytes_in_slot(d, bytes))
                         ? kp_member_near(d->member)
                         : slots + place_of_slot(d, d->rank, i);
        if (bytes <= d->slot)
            kp_copy(slot, block, bytes);
        else
            memcpy(slot, &block, sizeof block);
    }
    return own;
}

/* The slots of all members. */
struct slots {
    const char *first, *near;
    size_t stride;
};

static struct slots slots_of(const kp_group *member)
{
    return (struct slots){
        kp_member_buffers(member, KP_WHOLE_BUFFER),
        kp_member_has_near(member, 0) ? kp_member_near_heard(member) : NULL,
        kp_member_buffer_stride(member, KP_WHOLE_BUFFER),
    };
}

/* Returns where the block of another member lies. */
static const char *find(const struct kp_direct *d, const struct slots *slots, size_t sender,
                        size_t bytes)
{
    const char *slot =
        kp_member_has_near(d->member, bytes_in_slot(d, bytes))
            ? slots->near
            : slots->first + sender * slots->stride + place_of_slot(d, sender, d->rank);
    if (bytes > d->slot)
        memcpy(&slot, slot, sizeof slot);
    return slot;
}

static const struct kp_direct *call_of(const kp_group *member, size_t rank)
{
    return (const struct kp_direct *)kp_port_told(member, (int)rank);
}

/* Copies a long block into the buffer of the root, which waits for the call's end. */
static void put(const struct kp_direct *d, bool past_cache)
{
    const struct kp_side *side = &call_of(d->member, d->root)->call.in;
    size_t place = 0, end = 0;
    for (size_t i = 0; i <= d->rank; i++)
        place = kp_side_place(side, i, &end);
    copy_block(d, side->data + place, d->call.out.data, d->longest_out, past_cache);
}

static void take(const struct kp_direct *d, const char *own, bool past_cache)
{
    const struct slots slots = slots_of(d->member);
    const struct kp_side *side = &d->call.in;
    size_t end = 0;
    for (size_t i = 0; i < side->blocks; i++) {
        const size_t bytes = kp_side_bytes(side, i);
        const size_t sender = d->in_each ? i : d->root;
        char *to = side->data + kp_side_place(side, i, &end);
        if (bytes == 0 || (sender != d->rank && is_put(d, bytes)))
            continue;
        const char *from = sender == d->rank ? own : find(d, &slots, sender, bytes);
        if (to != from)
            copy_block(d, to, from, bytes, past_cache);
    }
}

/* Combines the operands in the order of the ranks, so the operator need not be commutative. */
static void combine(const struct kp_direct *d, const char *own)
{
    const struct slots slots = slots_of(d->member);
    const size_t bytes = kp_side_bytes(&d->call.in, 0), count = d->call.in.counts[0];
    char *const result = d->call.in.data;
    const char *left = NULL;
    if (bytes == 0)
        return;
    for (size_t i = 0; i < d->n; i++) {
        const char *right = i == d->rank ? own : find(d, &slots, i, bytes);
        if (left)
            d->loops.combine(result, left, right, count, d->op->context);
        left = left ? result : right;
    }
}

/* --- Words --- */

static void describe(const void *subject, char *text, size_t size)
{
    const struct kp_direct *d = subject;
    kp_problem asked = kp_call_problem(d->member, d->call.given);
    asked.b = KP_LENGTHS_UNKNOWN;
    kp_call_describe(&asked, text, size);
}

bool kp_lengths_word(const kp_group *member, kp_operation operation, char *text, size_t size)
{
    const kp_arguments open = {.operation = operation};
    if (!kp_direct_serves(member, &open))
        return false;
    snprintf(text, size, "%s; in slots; lengths by the barrier", kp_port_sync_name(member));
    return true;
}

/* Compares all blocks of a receiver with what their senders say. */
static int compare_all(kp_group *member, const struct kp_direct *receiver)
{
    const size_t senders = receiver->op ? receiver->n : receiver->call.in.blocks;
    int status = KP_OK;
    for (size_t i = 0; i < senders && !status; i++) {
        const struct kp_direct *sender =
            call_of(member, receiver->in_each || receiver->op ? i : receiver->root);
        status = kp_lengths_compare_ends(
            member,
            (struct kp_lengths_end){&sender->call, (int)sender->rank,
                                    receiver->out_each ? receiver->rank : 0},
            (struct kp_lengths_end){&receiver->call, (int)receiver->rank, receiver->op ? 0 : i});
    }
    return status;
}

/* The others wait until this member has told the difference, so their calls are still there. It
 * begins with its own blocks. */
static int tell_difference(kp_group *member)
{
    const size_t rank = (size_t)kp_port_rank(member), n = (size_t)kp_port_size(member);
    int status = KP_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = compare_all(member, call_of(member, (rank + i) % n));
    /* untaken: the program has changed a member's array of counts during the call */
    return status ? status
                  : kp_port_error(member, KP_EMISMATCH, -1, -1, -1,
                                  "a sender's lengths were not its receiver's, and an array of "
                                  "lengths has changed since");
}

/* --- A call --- */

/* Announces which memory is lent, and how long the longest block is. A pair knows both already. */
static void announce(const struct kp_direct *d)
{
    const bool of_two = kp_sync_is_of_two(d->member);
    if (!of_two && d->longest_out > 0)
        kp_port_offer_longest(d->member, d->longest_out);
    if (of_two && (d->longest_out > d->slot || d->longest_in > d->slot))
        kp_port_lend_all(d->member);
    else if (d->longest_out > d->slot)
        kp_port_lend(d->member);
}

static uint64_t longest_of_all(const struct kp_direct *d)
{
    uint64_t longest;
    if (kp_sync_is_of_two(d->member))
        return d->longest_out > d->longest_in ? d->longest_out : d->longest_in;
    return kp_port_longest(d->member, &longest) ? longest : 0;
}

/* A member of a pair asks for the lines that it writes in its next call, if the next one is like
 * this one, in which both send. */
static void fetch_next(const struct kp_direct *d)
{
    if (kp_sync_is_of_two(d->member) && d->longest_in > 0 && d->longest_out > 0 &&
        !kp_member_has_near(d->member, bytes_in_slot(d, d->longest_out)))
        kp_member_fetch_next(d->member, kp_member_buffer(d->member, KP_WHOLE_BUFFER));
}

void kp_direct_begin(struct kp_direct *d)
{
    kp_group *member = d->member;
    kp_port_open(member, d->fingerprint, describe, d);
    kp_port_publish(member, KP_PORT_TELLING, &d->telling);
    announce(d);
    d->own = d->goes ? pack(d) : NULL;
    kp_member_arrive_adding(member, d->difference, d->goes ? 0 : GOES_OTHERWISE, tell_difference);
}

int kp_direct_end(struct kp_direct *d)
{
    kp_group *member = d->member;
    const int status = kp_member_await_adding(member, d->difference, 0);
    if (status)
        return status;
    if (kp_member_bits(member) & GOES_OTHERWISE)
        return KP_DIRECT_NOT;
    const uint64_t longest = longest_of_all(d);
    const bool past_cache = is_past_cache(d, longest);
    if (d->op)
        combine(d, d->own);
    else
        take(d, d->own, past_cache);
    if (is_put(d, d->longest_out))
        put(d, past_cache);
    fetch_next(d);
    kp_member_count(member, 1, longest);
    return KP_OK;
}

int kp_direct_carry_out(struct kp_direct *d)
{
    kp_direct_begin(d);
    const int status = kp_direct_end(d);
    return status ? status : kp_member_close(d->member);
}

bool kp_direct_only_sends(const struct kp_direct *d)
{
    const bool only_others_receive = d->rooted && (d->rank == d->root ? d->out_each : d->in_each);
    return d->goes && !d->op && only_others_receive && d->longest_out > 0 &&
           d->longest_out <= d->slot;
}

bool kp_direct_is_free_at_end(const struct kp_direct *d)
{
    return d->rooted && d->rank != d->root;
}

void kp_direct_take_own(struct kp_direct *d)
{
    const struct kp_side *side = &d->call.in;
    size_t end = 0;
    if (side->blocks == 0)
        return;
    char *to = side->data + kp_side_place(side, 0, &end);
    kp_copy(to, d->own, kp_side_bytes(side, 0));
    d->own = to;
}

void kp_direct_unpack_sent(const struct kp_direct *d, char *out)
{
    const unsigned generation = kp_member_generation(d->member);
    const bool near = kp_member_has_near(d->member, bytes_in_slot(d, d->longest_out));
    const char *slots = kp_member_buffer_of(d->member, near ? 0 : KP_WHOLE_BUFFER, generation);
    const struct kp_side *side = &d->call.out;
    size_t end = 0;
    for (size_t i = 0; i < side->blocks; i++) {
        const size_t bytes = kp_side_bytes(side, i), place = kp_side_place(side, i, &end);
        if (bytes > 0 && !stays(d, KP_OUT, i))
            memcpy(out + place, slots + place_of_slot(d, d->rank, i), bytes);
    }
}

struct kp_direct *kp_direct_of(const kp_group *member)
{
    return (struct kp_direct *)kp_port_told(member, kp_port_rank(member));
}

int kp_direct_execute(kp_group *member, const kp_arguments *a, struct kp_lengths *own)
{
    struct kp_direct d;
    if (kp_direct_prepare(member, a, own, &d))
        return kp_port_refuse(member, describe, &d);
    return kp_direct_carry_out(&d);
}
