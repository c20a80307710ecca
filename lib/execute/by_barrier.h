/* These functions carry out one member's part of a call whose rounds the barrier separates. In each
 * round a member does some work, arrives at the barrier, waits for the other members, and does the
 * rest of its work. */
#ifndef KPORT_LIB_EXECUTE_BY_BARRIER_H
#define KPORT_LIB_EXECUTE_BY_BARRIER_H

#include "lib/execute/copy.h"
#include "lib/execute/execution.h"

/* Begins the call. If the moves before round 0 (copies within this member's memory) must come
 * before packing, the function makes these moves. */
KP_VARIANT void kp_barrier_begins(const struct kp_execution *x, const bool kept, const bool traced)
{
    const struct kp_prepared *call = x->call;
    const struct kp_lowering *l = &call->lowering;
    if (kept ? call->code->zero_copy : l->way.zero_copy)
        kp_publish(x, kept && !traced && call->code->together ? call->code : NULL);
    kp_member_open(x->member, &call->published);
    if (traced)
        kp_traced_open(x->member, x->call);
    if (kept ? call->code->early : l->way.early)
        kp_first_moves(x, kept);
}

/* Returns whether the member makes the moves before round 0 after it arrives and before it
 * waits. */
KP_VARIANT bool kp_moves_wait(const struct kp_execution *x, const bool kept, const bool traced)
{
    const struct kp_prepared *call = x->call;
    if (kept)
        return traced ? !call->code->early : call->code->waits;
    return !call->lowering.way.early;
}

/* Does the work of a round before the episode. Packs this member's messages, or lends the memory in
 * which they lie, and arrives at the barrier. Returns whether this member copies for its whole core
 * set (the threads on its core) after the episode. */
KP_VARIANT bool kp_before_episode(const struct kp_execution *x, const struct code_round *r, int t,
                                  bool last, const bool kept, const bool traced)
{
    kp_group *member = x->member;
    if (!r->zero_copy) {
        kp_packs(x, r, t, kp_member_buffer(member, r->buffer_bytes), kept);
        if (traced)
            kp_trace_sends(member);
    } else if (last && !x->call->lowering.way.one_source) {
        kp_port_lend_all(member);
    }
    kp_member_arrive(member);
    return r->zero_copy && last && kp_core_set_came_last(member);
}

KP_VARIANT void kp_copy_memory(const struct kp_execution *x, const struct code_round *r, int t,
                               const bool kept)
{
    if (!kept) {
        kp_lower_zero_copy(x->writer, t);
        return;
    }
    const struct kp_code *code = x->call->code;
    for (uint32_t i = r->send; i < r->last; i++) {
        const struct code_message *m = &code->messages[i];
        kp_reach(x->base, x->member, m->rank);
        kp_list(x, m->first, m->end);
    }
}

KP_VARIANT void kp_take_all(const struct kp_execution *x, const struct code_round *r, int t,
                            const bool kept)
{
    x->base[KP_BUFFER] = (char *)kp_member_buffers(x->member, r->buffer_bytes);
    if (kept) {
        kp_list(x, r->take, r->move);
    } else {
        kp_lower_takes(x->writer, t, kp_member_buffer_stride(x->member, r->buffer_bytes));
        kp_hand_on(x->writer);
    }
}

/* Does the work of a round after the episode. `works` is the result of kp_before_episode: whether
 * this member copies for all members of its core set, itself included. */
KP_VARIANT void kp_after_episode(const struct kp_execution *x, const struct code_round *r, int t,
                                 bool last, bool works, const bool kept, const bool traced)
{
    const bool together = kept && !traced && last && x->call->code->together;
    if (!r->zero_copy) {
        kp_take_all(x, r, t, kept);
    } else {
        if (works)
            kp_copy_for_all(x->member);
        if (!together)
            kp_copy_memory(x, r, t, kept);
    }
    kp_moves(x, r, t, kept);
    if (traced)
        kp_trace_round(x->member, KP_TRACE_ROUND, t,
                       x->call->lowering.way.of_blocks ? KP_TRACE_EXPLICIT : 0);
}

KP_VARIANT int kp_rounds_by_barrier(const struct kp_execution *x, const bool kept,
                                    const bool traced)
{
    kp_group *member = x->member;
    const int rounds = kp_rounds_of(x, kept);
    bool moves_wait = kp_moves_wait(x, kept, traced);
    /* Members come to an episode even if there are no rounds. In this episode the members find out
     * whether their calls differ or a member refuses its call. */
    if (rounds == 0)
        return kp_port_meet(member, 0);
    for (int t = 0; t < rounds; t++) {
        struct code_round seen;
        const struct code_round *r = kp_round_of(x, t, &seen, kept);
        const bool last = t == rounds - 1;
        const bool works = kp_before_episode(x, r, t, last, kept, traced);
        if (moves_wait) {
            moves_wait = false;
            kp_first_moves(x, kept);
            if (traced)
                kp_trace_waits(member);
        }
        int status = kp_member_await(member, t);
        if (traced)
            kp_trace_passed(member);
        if (status)
            return traced ? kp_trace_failed(member, KP_TRACE_ROUND, t, status) : status;
        kp_after_episode(x, r, t, last, works, kept, traced);
    }
    return KP_OK;
}

/* --- A call in which all read one member's memory (sync/worker_sets.h) --- */

/* Returns the rank of the member whose memory this member reads, or -1 if this member is the
 * source. */
KP_VARIANT int kp_source_of(const struct kp_execution *x, const bool kept)
{
    struct code_round seen;
    struct code_message room;
    const struct code_round *r = kp_round_of(x, 0, &seen, kept);
    return kp_turns_of(x, r, 0, false, kept) == 0
               ? -1
               : (int)kp_turn_of(x, r, 0, 0, false, kept, &room).m->rank;
}

/* Carries out the round. With `meanwhile` the source makes its own moves while it waits: the
 * readers are served already, or will leave early. Otherwise the other fibers of its worker come
 * first, as all readers wait for them. In a group that has failed, too, the source waits until
 * nobody reads. If calls differ, nobody reads. */
KP_VARIANT int kp_round_of_one_source(const struct kp_execution *x, const bool meanwhile,
                                      const bool kept)
{
    kp_group *member = x->member;
    struct code_round seen;
    const struct code_round *r = kp_round_of(x, 0, &seen, kept);
    const int source = kp_source_of(x, kept);
    const unsigned generation = kp_member_next_generation(member);
    const bool moves = kp_moves_wait(x, kept, false);
    if (source >= 0)
        kp_readers_enter(member, generation);
    (void)kp_before_episode(x, r, 0, true, kept, false);
    if (moves && meanwhile)
        kp_first_moves(x, kept);
    const int status = kp_member_await(member, 0);
    if (!status && moves && !meanwhile)
        kp_first_moves(x, kept);
    if (!status)
        kp_after_episode(x, r, 0, true, false, kept, false);
    if (source >= 0)
        kp_readers_leave(member, generation, source);
    else if (!status || kp_member_has_failed(member))
        kp_readers_await(member, generation);
    return status;
}

/* Does the same for a reader that may leave the call early: it reads at once if the source has
 * come. Returns true then, after the arrival. */
KP_VARIANT bool kp_reads_at_once(const struct kp_execution *x, int source)
{
    kp_group *member = x->member;
    const struct code_round *r = x->call->code->round;
    const unsigned generation = kp_member_next_generation(member);
    kp_readers_enter(member, generation);
    bool reads = kp_readers_may_read(member, source);
    if (!reads) {
        kp_readers_give_turn(member);
        reads = kp_readers_may_read(member, source);
    }
    if (reads) {
        if (kp_moves_wait(x, true, false))
            kp_first_moves(x, true);
        kp_copy_memory(x, r, 0, true);
        kp_moves(x, r, 0, true);
    }
    kp_readers_leave(member, generation, source);
    if (reads) {
        kp_member_will_leave(member);
        kp_member_arrive(member);
    }
    return reads;
}

KP_VARIANT int kp_call_by_barrier(const struct kp_execution *x, const bool kept, const bool traced)
{
    kp_barrier_begins(x, kept, traced);
    int status = !traced && x->call->lowering.way.one_source
                     ? kp_round_of_one_source(x, false, kept)
                     : kp_rounds_by_barrier(x, kept, traced);
    if (status)
        return status;
    kp_member_count(x->member, x->call->c1, x->call->c2);
    return kp_member_close(x->member);
}

/* --- A call with one message --- */

/* The following functions carry out a call of one round in which the member sends and receives at
 * most one message, without loops. If each thread has a core of its own, every instruction between
 * two barriers counts. If threads share a core, every cache line counts, because the thread that
 * ran before has replaced the contents of the cache. Between the two last functions the member
 * waits for the episode. */

/* This is a separate function, so that calls without such instructions save no registers for it. */
__attribute__((noinline, unused)) static void kp_carry_out_apart(const struct kp_instruction *first,
                                                                 const struct kp_instruction *end,
                                                                 char *const *base,
                                                                 const struct kp_combiner *combiner)
{
    kp_carry_out(first, end, base, combiner);
}

KP_VARIANT uint64_t kp_one_message_fingerprint(const struct kp_execution *x)
{
    return KP_COMPARES_CALLS ? x->call->published.fingerprint : 0;
}

/* Opens the call, packs the member's message, and arrives at the barrier. `generation` is that of
 * the coming episode. */
KP_VARIANT void kp_one_message_begin(const struct kp_execution *x, enum kp_sync kind,
                                     uint64_t fingerprint, unsigned generation)
{
    kp_group *member = x->member;
    struct kp_prepared *call = x->call;
    const struct kp_code *code = call->code;
    char **base = x->base;
    const uint32_t first = code->first;
    kp_member_open(member, &call->published);
    if (first > 0 && code->early)
        kp_carry_out_apart(code->all, code->all + first, base, &call->combiner);
    if (code->packs) {
        const struct placed_copy *pack = &code->pack;
        kp_copy(pack->buffer[generation], base[pack->space] + pack->place, pack->bytes);
    }
    kp_member_arrive_as(member, kind, fingerprint);
    if (first > 0 && !code->early)
        kp_carry_out_apart(code->all, code->all + first, base, &call->combiner);
}

/* Takes the message that has come in the episode, and counts the call. */
KP_VARIANT void kp_one_message_end(const struct kp_execution *x, unsigned generation)
{
    kp_group *member = x->member;
    struct kp_prepared *call = x->call;
    const struct kp_code *code = call->code;
    char **base = x->base;
    if (code->takes) {
        const struct placed_copy *take = &code->take;
        kp_copy(base[take->space] + take->place, take->buffer[generation], take->bytes);
    } else if (code->combines) {
        const struct code_round *r = code->round;
        base[KP_BUFFER] = (char *)kp_member_buffers(member, r->buffer_bytes);
        kp_carry_out_apart(code->all + r->take, code->all + r->move, base, &call->combiner);
    }
    kp_member_count(member, code->c1, code->c2);
}

#endif
