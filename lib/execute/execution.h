/* An execution is one member's call while it is carried out. The functions here carry out the lists
 * of instructions of a round. Calls by the barrier, by mailboxes and over a wire all use these
 * functions. */
#ifndef KPORT_LIB_EXECUTE_EXECUTION_H
#define KPORT_LIB_EXECUTE_EXECUTION_H

#include "lib/call/prepared.h"
#include "lib/call/traced.h"
#include "lib/execute/instructions.h"
#include "lib/execute/way.h"
#include "ports/member.h"

/* Marks a function that is compiled separately for each value of its constant arguments. In such
 * functions `kept` says that the call has kept code, and `traced` that the call is traced. */
#define KP_VARIANT static inline __attribute__((always_inline))

/* If no code is kept, at most this many instructions are written before they are carried out. */
#define KP_CHUNK 16

struct kp_execution {
    kp_group *member;
    struct kp_prepared *call;
    struct kp_writer *writer; /* writes the instructions; NULL if code is kept */
    char **base;              /* the addresses of this call's spaces (enum kp_code_space) */
};

/* Carries out the instructions that the writer holds, and empties the writer. */
void kp_hand_on(struct kp_writer *w);

/* Returns a writer that writes the instructions of `x` into `chunk`, and carries them out whenever
 * `chunk` is full. */
struct kp_writer kp_writer_of(struct kp_execution *x, struct kp_instruction *chunk);

static inline void kp_lay(char **base, const char *out, char *in, char *scratch)
{
    base[KP_OUT] = (char *)out;
    base[KP_IN] = in;
    base[KP_SCRATCH] = scratch;
}

KP_VARIANT int kp_rounds_of(const struct kp_execution *x, const bool kept)
{
    const struct kp_lowering *l = &x->call->lowering;
    return kept ? x->call->code->rounds : l->way.roundless ? 0 : l->schedule->rounds;
}

/* Returns round `t`. If no code is kept, the function stores the round in `seen` and returns
 * `seen`. */
KP_VARIANT const struct code_round *kp_round_of(const struct kp_execution *x, int t,
                                                struct code_round *seen, const bool kept)
{
    const struct kp_lowering *l = &x->call->lowering;
    if (kept)
        return &x->call->code->round[t];
    *seen = (struct code_round){.buffer_bytes = (size_t)l->schedule->buffer_units[t] * l->unit};
    seen->zero_copy = l->way.zero_copy && !kp_way_is_eager(l, x->member, t);
    return seen;
}

KP_VARIANT void kp_list(const struct kp_execution *x, uint32_t first, uint32_t end)
{
    const struct kp_code *code = x->call->code;
    kp_carry_out(code->all + first, code->all + end, x->base, &x->call->combiner);
}

KP_VARIANT void kp_first_moves(const struct kp_execution *x, const bool kept)
{
    if (kept) {
        kp_list(x, 0, x->call->code->first);
    } else {
        kp_lower_first(x->writer);
        kp_hand_on(x->writer);
    }
}

KP_VARIANT void kp_moves(const struct kp_execution *x, const struct code_round *r, int t,
                         const bool kept)
{
    if (kept) {
        kp_list(x, r->move, r->end);
    } else {
        kp_lower_moves(x->writer, t);
        kp_hand_on(x->writer);
    }
}

KP_VARIANT void kp_packs(const struct kp_execution *x, const struct code_round *r, int t,
                         char *buffer, const bool kept)
{
    x->base[KP_BUFFER] = buffer;
    if (kept) {
        kp_list(x, r->pack, r->take);
    } else {
        kp_lower_packs(x->writer, t);
        kp_hand_on(x->writer);
    }
}

/* One message of a round by mailboxes or over a wire. In the functions below, `sent` is true if
 * this member sends the message, and false if this member receives it. `i` numbers the messages
 * that this member sends in the round, or those that it receives. */
struct kp_turn {
    const struct code_message *m;
    const struct stored_message *stored; /* if no code is kept: the message in the schedule */
};

KP_VARIANT uint32_t kp_turns_of(const struct kp_execution *x, const struct code_round *r, int t,
                                const bool sent, const bool kept)
{
    const struct kp_lowering *l = &x->call->lowering;
    if (kept)
        return sent ? r->receive - r->send : r->last - r->receive;
    const struct stored_round *s = kp_schedule_round(l->schedule, l->own.rank, t);
    return sent ? s[1].send - s[0].send : s[1].receive - s[0].receive;
}

/* If no code is kept, what `m` points to is stored in `room`. */
KP_VARIANT struct kp_turn kp_turn_of(const struct kp_execution *x, const struct code_round *r,
                                     int t, uint32_t i, const bool sent, const bool kept,
                                     struct code_message *room)
{
    const struct kp_lowering *l = &x->call->lowering;
    if (kept)
        return (struct kp_turn){&x->call->code->messages[(sent ? r->send : r->receive) + i], NULL};
    const struct stored_round *s = kp_schedule_round(l->schedule, l->own.rank, t);
    const struct stored_message *stored =
        sent ? &l->schedule->sends[s->send + i] : &l->schedule->receives[s->receive + i];
    *room =
        sent ? kp_lower_sent(l, stored, r->zero_copy) : kp_lower_received(l, stored, r->zero_copy);
    return (struct kp_turn){room, stored};
}

/* Publishes the addresses of this member's memory to the members that copy from this memory or to
 * it. Also publishes this member's code `work`. With this code another member of the core set (the
 * threads on this core) may copy for this member. If `work` is NULL, none does. */
static inline void kp_publish(const struct kp_execution *x, const struct kp_code *work)
{
    for (int space = 0; space < KP_SPACES; space++)
        kp_port_publish(x->member, space, x->base[space]);
    kp_port_publish_work(x->member, work);
}

#endif
