#include "lib/execute/blocks.h"

#include "lib/execute/copy.h"
#include "lib/execute/instructions.h"
#include "lib/layout/stream.h"
#include "ports/member.h"

#include <stdlib.h>
#include <string.h>

/* --- The tables of a member --- */

struct kp_lengths *kp_lengths_create(kp_group *member)
{
    struct kp_lengths *made = calloc(1, sizeof *made);
    if (made)
        made->member = member;
    return made;
}

void kp_lengths_free(struct kp_lengths *lengths)
{
    if (!lengths)
        return;
    for (int space = 0; space < KP_SPACES; space++)
        free(lengths->blocks[space]);
    free(lengths->laid[KP_OUT]);
    free(lengths->laid[KP_IN]);
    free(lengths->ranges);
    kp_arena_free(&lengths->arena);
    free(lengths);
}

void *kp_lengths_room(void *items, size_t *capacity, size_t count, size_t size)
{
    if (items && count <= *capacity)
        return items;
    void *more = malloc((count > 0 ? count : 1) * size);
    if (!more)
        return NULL;
    free(items);
    *capacity = count;
    return more;
}

bool kp_lengths_make(struct kp_lengths *lengths, kp_space space, size_t places)
{
    struct kp_block *made =
        kp_lengths_room(lengths->blocks[space], &lengths->capacity[space], places, sizeof *made);
    if (!made)
        return false;
    lengths->blocks[space] = made;
    lengths->places[space] = places;
    memset(made, 0, places * sizeof *made);
    return true;
}

/* --- Blocks --- */

static void copy(char *to, const char *from, size_t bytes)
{
    if (bytes > 0 && to != from)
        kp_copy(to, from, bytes);
}

/* Copies the beginning of a block, from a place to a place. */
static void copy_laid(char *to, const kp_layout *to_layout, const char *from,
                      const kp_layout *from_layout, size_t bytes)
{
    if (!to_layout && !from_layout) {
        copy(to, from, bytes);
        return;
    }
    const struct kp_position into = {to, to_layout, 0}, out = {(char *)from, from_layout, 0};
    kp_stream_copy(&into, &out, bytes);
}

/* Returns memory for a block that arrives at `place`. Returns NULL if there is no memory. */
static char *make_room(struct kp_lengths *own, struct kp_block *place, size_t bytes)
{
    if (bytes <= place->fits)
        return place->home;
    if (place->room < bytes) {
        char *memory = kp_arena_take(&own->arena, bytes);
        if (!memory)
            return NULL;
        place->memory = memory;
        place->room = bytes;
    }
    return place->memory;
}

/* Returns what `lost_at` is for a block that this processor loses. */
static int own_number(const struct kp_lengths *own)
{
    return 1 + kp_port_processor(own->member, kp_port_rank(own->member));
}

/* Stores a block at a place: first its length, then its contents. If there is no memory, the block
 * is lost. Then `lost_at` names this processor, and later receivers of the block copy `lost_at`. */
static void take_block(struct kp_lengths *own, struct kp_block *to, const struct kp_block *from)
{
    to->bytes = from->bytes;
    to->lost_at = from->lost_at;
    to->data = to->lost_at ? NULL : make_room(own, to, to->bytes);
    if (!to->lost_at && to->bytes > 0 && !to->data) {
        to->lost_at = own_number(own);
        own->lost = *to;
    }
    to->layout = to->data == to->home ? to->home_layout : NULL;
    if (!to->lost_at)
        copy_laid(to->data, to->layout, from->data, from->layout, to->bytes);
}

/* --- Over a wire --- */

/* The header of each block in a message over a wire. */
struct block_head {
    uint64_t bytes;
    int64_t lost_at;
};
_Static_assert(sizeof(struct block_head) % _Alignof(max_align_t) == 0, "what follows is aligned");

size_t kp_blocks_at_most(const struct kp_lengths *own, uint64_t blocks)
{
    return (size_t)blocks * (sizeof(struct block_head) + own->all.longest);
}

size_t kp_blocks_counted(struct kp_lengths *own, uint64_t blocks)
{
    uint64_t bytes = own->message - blocks * own->length_bytes;
    own->longest = own->message > own->longest ? own->message : own->longest;
    own->message = 0;
    return (size_t)(blocks * sizeof(struct block_head) + bytes);
}

/* Appends a block to the message. A lost block has only its header there. */
static void pack(struct kp_lengths *own, const struct kp_block *block)
{
    const struct block_head head = {block->bytes, block->lost_at};
    memcpy(own->stream, &head, sizeof head);
    own->stream += sizeof head;
    if (block->lost_at)
        return;
    copy_laid(own->stream, NULL, block->data, block->layout, block->bytes);
    own->stream += block->bytes;
}

/* Returns the next block of the message, where it lies. Its elements are aligned, because message
 * and header are aligned for any type, and a block has complete elements. */
static struct kp_block next_of_stream(struct kp_lengths *own)
{
    struct block_head head;
    memcpy(&head, own->stream, sizeof head);
    struct kp_block block = {.data = own->stream + sizeof head,
                             .bytes = (size_t)head.bytes,
                             .lost_at = (int)head.lost_at};
    own->stream = block.data + (block.lost_at ? 0 : block.bytes);
    return block;
}

static void unpack(struct kp_lengths *own, struct kp_block *place)
{
    const struct kp_block block = next_of_stream(own);
    take_block(own, place, &block);
    own->message += block.bytes + own->length_bytes;
}

/* --- Combining --- */

/* Combines the block at `from` with the block at `operand`, and stores the result at `to`. If one
 * of the blocks is lost, so is the result. */
static void combine_block(const struct kp_combiner *combiner, struct kp_block *to,
                          const struct kp_block *operand, const struct kp_block *from, bool left)
{
    struct kp_lengths *own = combiner->blocks;
    const size_t bytes = operand->bytes;
    int lost_at = from->lost_at ? from->lost_at : operand->lost_at;
    char *room = lost_at ? NULL : make_room(own, to, bytes);
    if (!lost_at && bytes > 0 && !room) {
        lost_at = own_number(own);
        own->lost = (struct kp_block){.bytes = bytes, .lost_at = lost_at};
    }
    if (!lost_at && bytes > 0)
        combiner->loops.combine(room, left ? from->data : operand->data,
                                left ? operand->data : from->data, bytes / own->element_bytes,
                                combiner->context);
    to->bytes = bytes;
    to->data = lost_at ? NULL : room;
    to->lost_at = lost_at;
}

void kp_combine_blocks(const struct kp_instruction *i, char *to, const char *operand,
                       const char *from, const struct kp_combiner *combiner)
{
    struct kp_lengths *own = combiner->blocks;
    const bool unpacks = i->kind == KP_UNPACK_BLOCKS_LEFT || i->kind == KP_UNPACK_BLOCKS_RIGHT;
    const bool left = i->kind == KP_COMBINE_BLOCKS_LEFT || i->kind == KP_UNPACK_BLOCKS_LEFT;
    const bool counts = unpacks || i->from_space >= KP_PEER;
    struct kp_block *result = (void *)to;
    const struct kp_block *present = (const void *)operand, *next = (const void *)from;
    for (size_t n = i->bytes; n > 0; n--, result++, present++, next++) {
        const struct kp_block block = unpacks ? next_of_stream(own) : *next;
        combine_block(combiner, result, present, &block, left);
        own->message += counts ? block.bytes + own->length_bytes : 0;
    }
}

static void do_place(struct kp_lengths *own, uint8_t kind, struct kp_block *to,
                     const struct kp_block *from)
{
    if (kind == KP_POINT_BLOCKS) {
        to->data = from->data;
        to->layout = from->layout;
        to->bytes = from->bytes;
    } else if (kind == KP_TAKE_BLOCKS) {
        take_block(own, to, from);
    } else if (kind == KP_PACK_BLOCKS) {
        pack(own, from);
    } else if (kind == KP_UNPACK_BLOCKS) {
        unpack(own, to);
    }
}

/* --- Messages and rounds --- */

static void end_message(struct kp_lengths *own, const struct kp_instruction *i)
{
    uint64_t bytes = own->message;
    own->message = 0;
    own->longest = bytes > own->longest ? bytes : own->longest;
    if (kp_member_is_traced(own->member))
        kp_trace_message(own->member, i->kind == KP_END_SENT ? KP_TRACE_SENT : KP_TRACE_TAKEN,
                         (int)i->from_step, (int)i->count, (int)i->to_step, bytes);
}

static void end_round(struct kp_lengths *own)
{
    own->c2 += kp_port_tell_longest(own->member, own->longest);
    own->longest = 0;
}

static void do_places(struct kp_lengths *own, const struct kp_instruction *i, char *to,
                      const char *from)
{
    const bool counts = i->kind == KP_COUNT_BLOCKS || i->from_space >= KP_PEER;
    for (uint32_t n = i->count; n > 0; n--, to += i->to_step, from += i->from_step) {
        const struct kp_block *block = (const void *)from;
        do_place(own, i->kind, (void *)to, block);
        own->message += counts ? block->bytes + own->length_bytes : 0;
    }
}

/* Copies each outgoing block into a slot. Every slot is as long as the longest block. */
static void pad(const struct kp_lengths *own, char *to, int64_t step)
{
    const struct kp_block *block = own->blocks[KP_OUT];
    for (size_t n = own->places[KP_OUT]; n > 0; n--, to += step, block++)
        copy_laid(to, NULL, block->data, block->layout, block->bytes);
}

/* Copies each incoming block to the address that the caller gave. The block lies in the padded
 * buffer, or at the address in its entry. The function does not change the table, because other
 * members may be reading it. */
static void settle(struct kp_lengths *own, const char *padded, int64_t step)
{
    const struct kp_block *block = own->blocks[KP_IN];
    for (size_t n = own->places[KP_IN]; n > 0; n--, padded += step, block++) {
        if (block->lost_at)
            own->lost = *block;
        else if (block->home)
            copy_laid(block->home, block->home_layout, step > 0 ? padded : block->data,
                      step > 0 ? NULL : block->layout, block->bytes);
    }
}

void kp_carry_out_blocks(const struct kp_instruction *i, char *to, const char *from,
                         struct kp_lengths *own)
{
    if (i->kind == KP_END_ROUND)
        end_round(own);
    else if (i->kind == KP_END_SENT || i->kind == KP_END_TAKEN)
        end_message(own, i);
    else if (i->kind == KP_PAD_BLOCKS)
        pad(own, to, i->to_step);
    else if (i->kind == KP_SETTLE_BLOCKS)
        settle(own, from, i->from_step);
    else
        do_places(own, i, to, from);
}

/* --- A call --- */

static int refuse_lost(struct kp_lengths *own)
{
    const struct kp_block *lost = &own->lost;
    return kp_port_error_about(own->member, KP_EMEMORY, lost->lost_at - 1,
                               "a block of %zu bytes was lost on its way: processor %d had no "
                               "memory for it",
                               lost->bytes, lost->lost_at - 1);
}

void kp_blocks_begin(struct kp_lengths *own, size_t length_bytes)
{
    own->length_bytes = length_bytes;
    own->message = own->longest = own->c2 = 0;
    own->lost = (struct kp_block){.lost_at = 0};
}

int kp_blocks_end(struct kp_lengths *own, int status)
{
    kp_arena_reset(&own->arena);
    if (status && status != KP_EUNTAKEN)
        return status;
    kp_member_count(own->member, 0, own->c2 + kp_port_tell_longest(own->member, 0));
    return own->lost.lost_at ? refuse_lost(own) : status;
}
