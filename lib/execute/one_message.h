/* These functions carry out a call of one round in which the member sends and receives at most one
 * message, without loops. If each thread has a core of its own, every instruction between two
 * barriers counts. If threads share a core, every cache line counts, because the thread that ran
 * before has replaced the contents of the cache. Between the two functions the member waits for the
 * episode. */
#ifndef KPORT_LIB_EXECUTE_ONE_MESSAGE_H
#define KPORT_LIB_EXECUTE_ONE_MESSAGE_H

#include "lib/execute/copy.h"
#include "lib/execute/execution.h"

/* This is a separate function, so that calls without such instructions save no registers for it. */
__attribute__((noinline)) static void kp_carry_out_apart(const struct kp_instruction *first,
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
