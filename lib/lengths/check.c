/* Checks the arguments of operations whose blocks have lengths of their own. */
#include "lib/lengths/check.h"

#include "lib/call/prepared.h"
#include "lib/layout/kept.h"
#include "lib/layout/stream.h"
#include "lib/problem/operation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS       128 /* the most bytes of a number with its name */
#define RANGE_WORDS (2 * WORDS + 40)

static int refuse(kp_group *member, const char *what, const char *why)
{
    return kp_port_error(member, KP_EARGUMENT, -1, -1, -1, "%s %s", what, why);
}

/* --- Counts and displacements --- */

/* With at most this many bytes for each block, the sum over all blocks of a member does not
 * overflow. */
static size_t most_bytes(const kp_group *member)
{
    return (size_t)(SIZE_MAX < INT64_MAX ? SIZE_MAX : INT64_MAX) / 4 / (size_t)kp_port_size(member);
}

/* Writes "in_counts[3] is 8" or "in_bytes is 8". For a number that is negative as a signed number
 * it adds the signed number. */
static void name_number(const struct kp_side *side, const char *array, size_t i, size_t value,
                        char *text)
{
    char as_signed[64] = "", index[24] = "";
    if (side->each)
        snprintf(index, sizeof index, "[%zu]", i);
    if (value > PTRDIFF_MAX)
        snprintf(as_signed, sizeof as_signed, " (as a signed number -%zu)", (size_t)0 - value);
    snprintf(text, WORDS, "%s_%s%s is %zu%s", side->name, side->each ? array : "bytes", index,
             value, as_signed);
}

static int refuse_number(kp_group *member, const struct kp_side *side, const char *array, size_t i,
                         size_t value, size_t most)
{
    char text[WORDS];
    name_number(side, array, i, value, text);
    return kp_port_error(member, KP_EARGUMENT, -1, -1, -1, "%s; it may be 0 ... %zu", text, most);
}

static int refuse_end(kp_group *member, const struct kp_side *side, size_t i, size_t displacement)
{
    char count[WORDS], place[WORDS];
    name_number(side, "counts", i, side->counts[i], count);
    name_number(side, "displacements", i, displacement, place);
    bool given = side->displacements != NULL;
    return kp_port_error(member, KP_EARGUMENT, -1, -1, -1,
                         "%s%s%s: the block would end beyond what memory can hold",
                         given ? place : "", given ? " and " : "", count);
}

static int check_numbers(kp_group *member, const struct kp_side *side)
{
    size_t most = most_bytes(member), end = 0;
    for (size_t i = 0; i < side->blocks; i++) {
        size_t count = side->counts[i];
        size_t at = side->displacements ? side->displacements[i] : end;
        if (count > most)
            return refuse_number(member, side, "counts", i, count, most);
        if (at > PTRDIFF_MAX)
            return refuse_number(member, side, "displacements", i, at, PTRDIFF_MAX);
        /* No object is longer than PTRDIFF_MAX, and none ends beyond the last address. */
        if (count > PTRDIFF_MAX - at || (uintptr_t)side->data > UINTPTR_MAX - at - count)
            return refuse_end(member, side, i, at);
        end = at + count;
    }
    return KP_OK;
}

static int check_side(kp_group *member, const struct kp_side *side)
{
    size_t bytes = 0;
    if (side->blocks > 0 && !side->counts) {
        char what[WORDS];
        snprintf(what, sizeof what, "%s_counts", side->name);
        return refuse(member, what, "is NULL; it must be an array with a length for every member");
    }
    int status = check_numbers(member, side);
    for (size_t i = 0; i < side->blocks && !status; i++)
        bytes += side->counts[i];
    if (!status && bytes > 0 && !side->data)
        return refuse(member, side->name, "is NULL; only with 0 bytes it may be NULL");
    return status;
}

/* --- Overlap --- */

struct range {
    uintptr_t begin, end;
    const struct kp_side *side;
    size_t block;
};

static int by_begin(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Adds the ranges of the blocks that are not empty. */
static size_t add_ranges(const struct kp_side *side, struct range *ranges)
{
    size_t count = 0, end = 0;
    for (size_t i = 0; i < side->blocks; i++) {
        size_t at = side->displacements ? side->displacements[i] : end;
        end = at + side->counts[i];
        if (side->counts[i] > 0)
            ranges[count++] = (struct range){.begin = (uintptr_t)side->data + at,
                                             .end = (uintptr_t)side->data + end,
                                             .side = side,
                                             .block = i};
    }
    return count;
}

static void name_range(const struct range *r, char *text)
{
    char count[WORDS], place[WORDS];
    name_number(r->side, "counts", r->block, r->side->counts[r->block], count);
    if (!r->side->displacements) {
        snprintf(text, RANGE_WORDS, "block %zu of %s (%s)", r->block, r->side->name, count);
        return;
    }
    name_number(r->side, "displacements", r->block, r->side->displacements[r->block], place);
    snprintf(text, RANGE_WORDS, "block %zu of %s (%s, %s)", r->block, r->side->name, place, count);
}

static int refuse_overlap(kp_group *member, const struct range *a, const struct range *b)
{
    char one[RANGE_WORDS], other[RANGE_WORDS];
    bool both = a->side == b->side;
    name_range(a, one);
    name_range(b, other);
    return kp_port_error(member, KP_EARGUMENT, -1, -1, -1, "%s and %s overlap%s", one, other,
                         both ? "" : " (to use one buffer for both, pass KP_IN_PLACE)");
}

/* Sorts the ranges by their begin. An incoming block may overlap no earlier block, and so it is
 * compared with the earlier block that ends last. An outgoing block is compared only with the
 * incoming block that ends last, because outgoing blocks may overlap each other. */
static int find_overlap(kp_group *member, const struct kp_side *in, struct range *ranges,
                        size_t count)
{
    const struct range *furthest_in = NULL, *furthest_out = NULL;
    qsort(ranges, count, sizeof *ranges, by_begin);
    for (size_t i = 0; i < count; i++) {
        const struct range *r = &ranges[i];
        bool incoming = r->side == in;
        const struct range **furthest = incoming ? &furthest_in : &furthest_out;
        if (furthest_in && r->begin < furthest_in->end)
            return refuse_overlap(member, furthest_in, r);
        if (incoming && furthest_out && r->begin < furthest_out->end)
            return refuse_overlap(member, furthest_out, r);
        if (!*furthest || r->end > (*furthest)->end)
            *furthest = r;
    }
    return KP_OK;
}

/* An `out` that is KP_IN_PLACE has no blocks here. */
static int check_overlap(kp_group *member, struct kp_lengths *own, const struct kp_side *out,
                         const struct kp_side *in)
{
    struct range *ranges = kp_lengths_room(own->ranges, &own->range_capacity,
                                           out->blocks + in->blocks + 1, sizeof *ranges);
    if (!ranges)
        return kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory to compare %zu blocks",
                             out->blocks + in->blocks);
    own->ranges = ranges;
    size_t count = add_ranges(out, ranges);
    count += add_ranges(in, ranges + count);
    return find_overlap(member, in, ranges, count);
}

/* --- In place --- */

/* At a processor with both buffers, KP_IN_PLACE is allowed for a single block if the other buffer
 * has a block for every processor. It is also allowed for an outgoing buffer with a block for every
 * processor. */
static int check_in_place(kp_group *member, const struct kp_lengths_call *call)
{
    const char *name = kp_operation_name(call->given->operation);
    bool root = kp_port_rank(member) == call->given->root,
         scatter = call->given->operation == KP_SCATTERV;
    if (call->in.blocks > 0 && call->in.data == KP_IN_PLACE && !(scatter && root))
        return refuse(member, "in",
                      "may be KP_IN_PLACE only at the root of a scatterv; out may in other calls");
    if (call->out.blocks > 0 && call->out.data == KP_IN_PLACE && scatter)
        return refuse(member, "out", "may not be KP_IN_PLACE in a scatterv; `in` may");
    if (call->out.blocks > 0 && call->out.data == KP_IN_PLACE &&
        kp_operation_has_root(call->given->operation) && !root)
        return kp_port_error(member, KP_EARGUMENT, -1, -1, -1,
                             "out may be KP_IN_PLACE only at the root of a %s", name);
    return KP_OK;
}

/* Makes `one`, a buffer of a single block, the same memory as block `rank` of the other buffer,
 * `each`. */
static void make_same(struct kp_side *one, const struct kp_side *each, size_t rank)
{
    size_t at = 0, end = 0;
    for (size_t i = 0; i <= rank; i++)
        at = kp_side_place(each, i, &end);
    one->data = each->data ? each->data + at : NULL;
    one->counts = &each->counts[rank];
    one->layout = kp_side_layout(each, rank);
    one->layouts = NULL;
}

/* --- Laying out --- */

static char *place_in(const struct kp_side *side, size_t i, size_t *end)
{
    const size_t at = kp_side_place(side, i, end);
    return side->counts[i] > 0 ? side->data + at : NULL;
}

static void lay_out(const struct kp_side *side, struct kp_lengths *own)
{
    size_t end = 0;
    own->sums.longest = own->sums.total = 0;
    for (size_t i = 0; i < side->blocks; i++) {
        struct kp_block *block = &own->blocks[KP_OUT][i];
        block->data = place_in(side, i, &end);
        block->bytes = kp_side_bytes(side, i);
        own->sums.total += block->bytes;
        if (block->bytes > own->sums.longest)
            own->sums.longest = block->bytes;
    }
}

static void lay_in(const struct kp_side *side, struct kp_lengths *own)
{
    size_t end = 0;
    for (size_t i = 0; i < side->blocks; i++) {
        struct kp_block *block = &own->blocks[KP_IN][i];
        block->data = block->home = place_in(side, i, &end);
        block->bytes = block->fits = kp_side_bytes(side, i);
    }
}

/* An incoming block that is also the outgoing block lies where it belongs. Other members may be
 * reading it, so nothing may be written there. */
static void leave(struct kp_block *block)
{
    block->home = NULL;
    block->fits = 0;
}

/* Copies the outgoing blocks, because every block of the incoming buffer is both sent and
 * written. */
static bool copy_out(struct kp_lengths *own)
{
    char *copy = kp_arena_take(&own->arena, own->sums.total);
    if (!copy)
        return false;
    for (size_t i = 0; i < own->places[KP_OUT]; i++) {
        struct kp_block *block = &own->blocks[KP_OUT][i];
        const struct kp_position to = {copy, NULL, 0}, from = {block->data, block->layout, 0};
        kp_stream_copy(&to, &from, block->bytes);
        block->data = copy;
        block->layout = NULL;
        copy += block->bytes;
    }
    return true;
}

bool kp_side_span(const struct kp_side *side, bool apart, struct kp_span *span)
{
    const size_t most = (size_t)PTRDIFF_MAX >> 32; /* of a count, and of the bytes of a unit */
    size_t end = 0;
    *span = (struct kp_span){0, 0};
    if (side->blocks > 0 && !side->counts)
        return false;
    for (size_t i = 0; i < side->blocks; i++) {
        const kp_layout *layout = kp_side_layout(side, i);
        if (side->counts[i] == 0)
            continue;
        if (side->counts[i] > most || (side->displacements && side->displacements[i] > most) ||
            (layout && (layout->bytes > most || !kp_layout_is_plain(layout))))
            return false;
        const size_t at = kp_side_place(side, i, &end);
        if ((apart && at < span->end) || end > (size_t)PTRDIFF_MAX)
            return false;
        span->begin = span->end == 0 || at < span->begin ? at : span->begin;
        span->end = end > span->end ? end : span->end;
    }
    return true;
}

static bool lies_in_memory(const void *data, struct kp_span span)
{
    return span.end == 0 || (data && (uintptr_t)data <= UINTPTR_MAX - span.end);
}

bool kp_spans_fit(const void *out, struct kp_span sent, const void *in, struct kp_span received)
{
    const uintptr_t from = (uintptr_t)out, to = (uintptr_t)in;
    return lies_in_memory(out, sent) && lies_in_memory(in, received) &&
           (sent.end == 0 || received.end == 0 || from + sent.end <= to + received.begin ||
            to + received.end <= from + sent.begin);
}

/* Most calls have two buffers in which every block lies behind the one before it. All others get a
 * closer look. */
static bool are_simple(const struct kp_side *out, const struct kp_side *in)
{
    struct kp_span sent, received;
    return kp_side_span(out, false, &sent) && kp_side_span(in, true, &received) &&
           kp_spans_fit(out->data, sent, in->data, received);
}

static int check_sides(kp_group *member, const struct kp_lengths_call *call, struct kp_lengths *own)
{
    static const struct kp_side none = {.blocks = 0};
    const struct kp_side *out = call->out.data == KP_IN_PLACE ? &none : &call->out;
    const struct kp_side *in = call->in.data == KP_IN_PLACE ? &none : &call->in;
    if (are_simple(out, in))
        return KP_OK;
    if (kp_has_layouts(call->given))
        return kp_lengths_check_laid(member, out, in);
    int status = check_side(member, out);
    if (!status)
        status = check_side(member, in);
    return status ? status : check_overlap(member, own, out, in);
}

/* Describes the buffer of a space. If the operation has one block there, the length of this block
 * takes the place of the array of counts. */
static struct kp_side side_of(const kp_group *member, const kp_arguments *a, kp_space space)
{
    const struct kp_operation_row *row = kp_operation_row(a->operation);
    const bool out = space == KP_OUT, laid = kp_has_layouts(a);
    if ((out ? row->out_holder : row->in_holder) == KP_HELD_BY_ROOT &&
        kp_port_rank(member) != a->root)
        return (struct kp_side){.name = "nothing"};
    struct kp_side side = {
        .data = out ? (char *)a->out : a->in,
        .each = (out ? row->out : row->in) == KP_BLOCK_EACH,
        .unit = 1,
        .blocks = 1,
        .layouts = out ? a->out_layouts : a->in_layouts,
        .name = out ? "out" : "in",
    };
    if (laid)
        side.layout = kp_layout_or_byte(out ? a->out_layout : a->in_layout);
    if (!side.each) {
        side.counts = out    ? laid ? &a->out_count : &a->out_bytes
                      : laid ? &a->in_count
                             : &a->in_bytes;
        return side;
    }
    side.counts = out ? a->out_counts : a->in_counts;
    side.displacements = out ? a->out_displacements : a->in_displacements;
    side.blocks = (size_t)kp_port_size(member);
    return side;
}

/* If KP_IN_PLACE stands for a block, makes it that block. */
static int resolve_blocks(kp_group *member, struct kp_lengths_call *call, struct kp_lengths *own)
{
    struct kp_side *out = &call->out, *in = &call->in;
    const bool out_there = out->blocks > 0 && out->data == KP_IN_PLACE;
    const bool in_there = in->blocks > 0 && in->data == KP_IN_PLACE;
    int status = check_in_place(member, call);
    if (!status)
        status = check_sides(member, call, own);
    if (status)
        return status;
    call->in_place = out_there || in_there;
    if (in_there)
        make_same(in, out, (size_t)kp_port_rank(member));
    else if (out_there && !out->each)
        make_same(out, in, (size_t)kp_port_rank(member));
    else if (out_there)
        *out = *in;
    return KP_OK;
}

int kp_lengths_resolve(kp_group *member, const kp_arguments *a, struct kp_lengths *own,
                       struct kp_lengths_call *call)
{
    *call = (struct kp_lengths_call){.given = a};
    if (!own)
        return kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for a table of blocks");
    if (kp_operation_reduces(a->operation))
        return kp_lengths_resolve_operands(member, call);
    call->out = side_of(member, a, KP_OUT);
    call->in = side_of(member, a, KP_IN);
    if (a->root < 0 || a->root >= kp_port_size(member))
        return kp_port_error(member, KP_EARGUMENT, -1, -1, -1, "root is %d; it may be 0 ... %d",
                             a->root, kp_port_size(member) - 1);
    return resolve_blocks(member, call, own);
}

int kp_lengths_lay(kp_group *member, const struct kp_lengths_call *call, struct kp_lengths *own)
{
    const struct kp_side *out = &call->out, *in = &call->in;
    const bool both_each = out->each && in->each;
    if (kp_operation_reduces(call->given->operation))
        return kp_lengths_lay_operands(member, call, own);
    kp_arena_reset(&own->arena);
    bool room =
        kp_lengths_make(own, KP_OUT, out->blocks) && kp_lengths_make(own, KP_IN, in->blocks);
    if (room) {
        lay_out(out, own);
        lay_in(in, own);
        room = !kp_has_layouts(call->given) || kp_lengths_lay_laid(call, own);
        if (call->in_place && !both_each)
            leave(&own->blocks[KP_IN][in->each ? kp_port_rank(member) : 0]);
        room = room && (!call->in_place || !both_each || copy_out(own));
    }
    return room ? KP_OK
                : kp_port_error(member, KP_EMEMORY, -1, -1, -1,
                                "no memory for the table of %zu blocks and their copy",
                                out->blocks + in->blocks);
}
