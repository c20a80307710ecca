/* These functions carry out one member's part of a call over a wire, where members share no memory.
 * A member packs its data for each peer into a message, and unpacks the messages that it receives.
 * A member waits only for its own messages. */
#ifndef KPORT_LIB_EXECUTE_BY_WIRE_H
#define KPORT_LIB_EXECUTE_BY_WIRE_H

#include "lib/execute/blocks.h"
#include "lib/execute/copy.h"
#include "lib/execute/execution.h"

/* Carries out an instruction of kind `kind` for each block of a message whose blocks have lengths
 * of their own. A block's length travels with the block, because the receiver knows only the length
 * of the longest block. */
static inline void kp_blocks_in_hand(const struct kp_execution *x, const struct stored_message *m,
                                     uint8_t kind)
{
    kp_lower_blocks(x->writer, m, kind);
    kp_hand_on(x->writer);
}

/* Returns the place of a message's units if the message may go directly from or to there, and
 * otherwise NULL. In a call in place it may not, because the same memory may be sent and
 * received. */
static inline char *kp_place_by_wire(const struct kp_execution *x, const struct code_message *m)
{
    const bool may = m->direct && x->base[KP_IN] != x->base[KP_OUT] && !x->call->problem.in_place;
    return may ? x->base[m->space] + m->place : NULL;
}

/* Code of blocks with lengths of their own is not kept. */
KP_VARIANT int kp_expect_by_wire(const struct kp_execution *x, const struct kp_turn *turn,
                                 const bool kept)
{
    const struct code_message *m = turn->m;
    if (!kept && x->call->lowering.way.of_blocks)
        return kp_wired_expect(x->member, m->rank, m->port,
                               kp_blocks_at_most(x->call->combiner.blocks, turn->stored->units),
                               false, NULL);
    return kp_wired_expect(x->member, m->rank, m->port, m->bytes, true, kp_place_by_wire(x, m));
}

/* Packs blocks with lengths of their own. */
static inline int kp_pack_blocks_by_wire(const struct kp_execution *x, const struct kp_turn *turn)
{
    struct kp_lengths *blocks = x->call->combiner.blocks;
    kp_blocks_in_hand(x, turn->stored, KP_COUNT_BLOCKS);
    const size_t bytes = kp_blocks_counted(blocks, turn->stored->units);
    blocks->stream = kp_wired_out(x->member, turn->m->rank, turn->m->port, bytes, false, NULL);
    if (!blocks->stream)
        return KP_EMEMORY;
    kp_blocks_in_hand(x, turn->stored, KP_PACK_BLOCKS);
    return KP_OK;
}

/* Carries out a kept list. This is a function of its own, so that messages whose units are
 * neighbours save no registers for it. */
__attribute__((noinline)) static void kp_list_by_wire(const struct kp_execution *x, char *buffer,
                                                      uint32_t first, uint32_t end)
{
    x->base[KP_BUFFER] = buffer;
    kp_list(x, first, end);
}

/* Packs the contents of a message into `out`. */
KP_VARIANT void kp_fill_by_wire(const struct kp_execution *x, const struct kp_turn *turn, char *out,
                                const bool kept)
{
    const struct code_message *m = turn->m;
    if (m->neighbours) {
        kp_copy(out, x->base[m->space] + m->place, m->bytes);
    } else if (kept) {
        kp_list_by_wire(x, out, m->first, m->end);
    } else {
        x->base[KP_BUFFER] = out;
        kp_lower_box(x->writer, turn->stored);
        kp_hand_on(x->writer);
    }
}

KP_VARIANT int kp_pack_by_wire(const struct kp_execution *x, const struct kp_turn *turn,
                               const bool kept)
{
    const struct code_message *m = turn->m;
    if (!kept && x->call->lowering.way.of_blocks)
        return kp_pack_blocks_by_wire(x, turn);
    const char *place = kp_place_by_wire(x, m);
    char *out = kp_wired_out(x->member, m->rank, m->port, m->bytes, true, place);
    if (!out)
        return KP_EMEMORY;
    if (!place)
        kp_fill_by_wire(x, turn, out, kept);
    return KP_OK;
}

/* Takes the contents of a message, which have come at `in`. */
KP_VARIANT void kp_take_by_wire(const struct kp_execution *x, const struct kp_turn *turn,
                                const char *in, const bool kept)
{
    const struct code_message *m = turn->m;
    struct kp_lengths *blocks = x->call->combiner.blocks;
    if (!kept && x->call->lowering.way.of_blocks) {
        blocks->stream = x->base[KP_BUFFER] = (char *)in;
        kp_blocks_in_hand(x, turn->stored, KP_UNPACK_BLOCKS);
        (void)kp_blocks_counted(blocks, 0);
    } else if (m->neighbours) {
        char *to = x->base[m->space] + m->place;
        if (in != to)
            kp_copy(to, in, m->bytes);
    } else if (kept) {
        kp_list_by_wire(x, (char *)in, m->first, m->end);
    } else {
        x->base[KP_BUFFER] = (char *)in;
        kp_lower_take(x->writer, turn->stored, false);
    }
}

/* Begins the messages of a round that is kept laid out. */
static inline int kp_begin_kept_by_wire(const struct kp_execution *x, const struct code_round *r,
                                        int t)
{
    const struct code_message *const messages = x->call->code->messages;
    struct kp_transfer *out = kp_wired_first_out(x->member);
    for (uint32_t i = r->send; i < r->receive; i++, out++) {
        const struct kp_turn turn = {&messages[i], NULL};
        char *place = kp_wired_out_again(x->member, out, kp_place_by_wire(x, turn.m));
        if (place)
            kp_fill_by_wire(x, &turn, place, true);
    }
    for (uint32_t i = r->receive; kp_wired_any_lone_in(x->member) && i < r->last; i++)
        kp_wired_in_again(x->member, (int)(i - r->receive), kp_place_by_wire(x, &messages[i]));
    return kp_wired_begin(x->member, t);
}

/* Lays out the messages of a round, and begins them. */
KP_VARIANT int kp_lay_out_by_wire(const struct kp_execution *x, const struct code_round *r, int t,
                                  const bool kept)
{
    const uint32_t sends = kp_turns_of(x, r, t, true, kept);
    const uint32_t receives = kp_turns_of(x, r, t, false, kept);
    int status = KP_OK;
    kp_wired_next(x->member);
    for (uint32_t i = 0; i < sends && !status; i++) {
        struct code_message room;
        const struct kp_turn turn = kp_turn_of(x, r, t, i, true, kept, &room);
        status = kp_pack_by_wire(x, &turn, kept);
    }
    for (uint32_t i = 0; i < receives && !status; i++) {
        struct code_message room;
        const struct kp_turn turn = kp_turn_of(x, r, t, i, false, kept, &room);
        status = kp_expect_by_wire(x, &turn, kept);
    }
    if (status)
        return kp_wired_refuse(x->member, x->call->published.describe, x->call->published.subject);
    if (kept)
        kp_wired_keep(x->member, &x->call->code->round[t].laid);
    return kp_wired_begin(x->member, t);
}

/* This is a function of its own, so that it saves no registers for a round that is laid out. */
__attribute__((noinline)) static int kp_lay_out_kept_by_wire(const struct kp_execution *x,
                                                             const struct code_round *r, int t)
{
    return kp_lay_out_by_wire(x, r, t, true);
}

/* Begins the messages of a round. */
KP_VARIANT int kp_begin_by_wire(const struct kp_execution *x, const struct code_round *r, int t,
                                const bool kept)
{
    if (!kept)
        return kp_lay_out_by_wire(x, r, t, false);
    return kp_wired_again(x->member, r->laid) ? kp_begin_kept_by_wire(x, r, t)
                                              : kp_lay_out_kept_by_wire(x, r, t);
}

/* Takes the data out of the messages of a round, which have come. */
KP_VARIANT void kp_end_by_wire(const struct kp_execution *x, const struct code_round *r, int t,
                               const bool kept)
{
    const uint32_t receives = kp_turns_of(x, r, t, false, kept);
    const struct kp_transfer *in = kp_wired_first_in(x->member);
    for (uint32_t i = 0; i < receives; i++, in++) {
        struct code_message room;
        const struct kp_turn turn = kp_turn_of(x, r, t, i, false, kept, &room);
        kp_take_by_wire(x, &turn, kp_wired_place(in), kept);
    }
}

KP_VARIANT void kp_first_moves_by_wire(const struct kp_execution *x, const bool kept)
{
    if (!kept)
        kp_first_moves(x, false);
    else if (x->call->code->first > 0)
        kp_list_by_wire(x, NULL, 0, x->call->code->first);
}

/* If `moves`, the member makes the moves before round 0 while the round's messages travel. */
KP_VARIANT int kp_round_by_wire(const struct kp_execution *x, const struct code_round *r, int t,
                                const bool moves, const bool kept)
{
    int status = kp_begin_by_wire(x, r, t, kept);
    if (status)
        return status;
    if (moves)
        kp_first_moves_by_wire(x, kept);
    if ((status = kp_wired_end(x->member, t)))
        return status;
    kp_end_by_wire(x, r, t, kept);
    if (!kept)
        kp_moves(x, r, t, false);
    else if (r->move < r->end)
        kp_list_by_wire(x, NULL, r->move, r->end);
    return KP_OK;
}

KP_VARIANT int kp_call_by_wire(const struct kp_execution *x, const bool kept)
{
    /* A call whose blocks have lengths of their own begins with an episode. A member that has found
     * that lengths differ refuses the call in this episode. */
    int status = kp_wired_open(x->member, &x->call->published, x->call->combiner.blocks);
    if (status)
        return status;
    const int rounds = kp_rounds_of(x, kept);
    const bool early = rounds == 0 || (kept ? x->call->code->early : x->call->lowering.way.early);
    if (early)
        kp_first_moves_by_wire(x, kept);
    for (int t = 0; t < rounds && !status; t++) {
        struct code_round seen;
        const struct code_round *r = kp_round_of(x, t, &seen, kept);
        status = kp_round_by_wire(x, r, t, t == 0 && !early, kept);
    }
    if (status)
        return status;
    kp_member_count(x->member, x->call->c1, x->call->c2);
    return kp_wired_close(x->member);
}

#endif
