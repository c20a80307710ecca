/* These functions carry out one member's part of a call over a wire, where members share no memory.
 * A member packs its data for each peer into a message, and unpacks the messages that it receives.
 * A member waits only for its own messages. */
#ifndef KPORT_LIB_EXECUTE_BY_WIRE_H
#define KPORT_LIB_EXECUTE_BY_WIRE_H

#include "lib/execute/blocks.h"
#include "lib/execute/cursor.h"
#include "lib/execute/execution.h"

#include <string.h>

/* Carries out an instruction of kind `kind` for each block of a message whose blocks have lengths
 * of their own. A block's length travels with the block, because the receiver knows only the length
 * of the longest block. */
static inline void kp_blocks_in_hand(const struct kp_execution *x, const struct stored_message *m,
                                     uint8_t kind)
{
    kp_lower_blocks(x->writer, m, kind);
    kp_hand_on(x->writer);
}

/* Returns the place of a message's units if they are neighbours, and otherwise NULL. */
static inline char *kp_neighbours(const struct kp_execution *x, const struct stored_message *m)
{
    const struct kp_lowering *l = &x->call->lowering;
    if (l->way.of_blocks || m->combining || m->piece_count != 1)
        return NULL;
    struct kp_cursor at = kp_cursor_at(l, &l->own, l->schedule->pieces + m->first_piece, 1);
    return kp_cursor_next(&at) && at.left == (size_t)m->units * l->unit ? x->base[at.space] + at.at
                                                                        : NULL;
}

/* Returns the place of a message's units if the message may go directly from or to there. In a call
 * in place it may not, because the same memory may be sent and received. */
static inline char *kp_place_by_wire(const struct kp_execution *x, const struct stored_message *m)
{
    const size_t bytes = (size_t)m->units * x->call->lowering.unit;
    const bool in_place = x->base[KP_IN] == x->base[KP_OUT] || x->call->problem.in_place;
    return kp_wired_goes_directly(bytes) && !in_place ? kp_neighbours(x, m) : NULL;
}

static inline int kp_expect_by_wire(const struct kp_execution *x, const struct stored_message *m)
{
    const struct kp_lowering *l = &x->call->lowering;
    const struct code_message message = kp_lower_received(l, m, false);
    if (l->way.of_blocks)
        return kp_wired_expect(x->member, message.rank, message.port,
                               kp_blocks_at_most(x->call->combiner.blocks, m->units), false, NULL);
    return kp_wired_expect(x->member, message.rank, message.port, (size_t)m->units * l->unit, true,
                           kp_place_by_wire(x, m));
}

static inline int kp_pack_by_wire(const struct kp_execution *x, const struct stored_message *m)
{
    const struct kp_lowering *l = &x->call->lowering;
    const struct code_message message = kp_lower_sent(l, m, false);
    size_t bytes = (size_t)m->units * l->unit;
    if (l->way.of_blocks) {
        kp_blocks_in_hand(x, m, KP_COUNT_BLOCKS);
        bytes = kp_blocks_counted(x->call->combiner.blocks, m->units);
    }
    const char *place = kp_place_by_wire(x, m);
    char *out = kp_wired_out(x->member, message.rank, message.port, bytes, place);
    if (!out)
        return KP_EMEMORY;
    if (place)
        return KP_OK;
    x->base[KP_BUFFER] = out;
    if (l->way.of_blocks) {
        x->call->combiner.blocks->stream = out;
        kp_blocks_in_hand(x, m, KP_PACK_BLOCKS);
        return KP_OK;
    }
    const char *from = kp_neighbours(x, m);
    if (from) {
        memcpy(out, from, bytes);
    } else {
        kp_lower_box(x->writer, m);
        kp_hand_on(x->writer);
    }
    return KP_OK;
}

static inline void kp_take_by_wire(const struct kp_execution *x, const struct stored_message *m,
                                   int i)
{
    if (kp_place_by_wire(x, m))
        return;
    x->base[KP_BUFFER] = (char *)kp_wired_came(x->member, i);
    char *to = kp_neighbours(x, m);
    if (to) {
        memcpy(to, x->base[KP_BUFFER], (size_t)m->units * x->call->lowering.unit);
        return;
    }
    if (!x->call->lowering.way.of_blocks) {
        kp_lower_take(x->writer, m, false);
        return;
    }
    struct kp_lengths *blocks = x->call->combiner.blocks;
    blocks->stream = x->base[KP_BUFFER];
    kp_blocks_in_hand(x, m, KP_UNPACK_BLOCKS);
    (void)kp_blocks_counted(blocks, 0);
}

static inline int kp_round_by_wire(const struct kp_execution *x, int t)
{
    const struct kp_lowering *l = &x->call->lowering;
    const struct kp_schedule *s = l->schedule;
    const struct stored_round *r = kp_schedule_round(s, l->own.rank, t);
    int status = KP_OK;
    kp_wired_next(x->member);
    for (uint32_t i = r[0].receive; i < r[1].receive && !status; i++)
        status = kp_expect_by_wire(x, &s->receives[i]);
    for (uint32_t i = r[0].send; i < r[1].send && !status; i++)
        status = kp_pack_by_wire(x, &s->sends[i]);
    if (status)
        return kp_wired_refuse(x->member, x->call->published.describe, x->call->published.subject);
    status = kp_wired_round(x->member, t);
    for (uint32_t i = r[0].receive; i < r[1].receive && !status; i++)
        kp_take_by_wire(x, &s->receives[i], (int)(i - r[0].receive));
    return status;
}

static inline int kp_call_by_wire(const struct kp_execution *x)
{
    /* A call whose blocks have lengths of their own begins with an episode. A member that has found
     * that lengths differ refuses the call in this episode. */
    int status = kp_wired_open(x->member, &x->call->published, x->call->combiner.blocks);
    if (status)
        return status;
    kp_first_moves(x, false);
    for (int t = 0; t < kp_rounds_of(x, false) && !status; t++) {
        status = kp_round_by_wire(x, t);
        if (!status)
            kp_moves(x, NULL, t, false);
    }
    if (status)
        return status;
    kp_member_count(x->member, x->call->c1, x->call->c2);
    return kp_wired_close(x->member);
}

#endif
