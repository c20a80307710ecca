#include "lib/execute/interpret.h"

#include "lib/execute/blocks.h"
#include "lib/execute/by_barrier.h"
#include "lib/execute/by_mail.h"
#include "lib/execute/by_wire.h"

/* --- Carrying out instructions as they are written --- */

void kp_hand_on(struct kp_writer *w)
{
    const struct kp_execution *x = w->context;
    kp_carry_out(w->items, w->items + w->count, x->base, &x->call->combiner);
    w->count = w->begin = 0;
}

static void begins(struct kp_writer *w, const struct code_message *m)
{
    const struct kp_execution *x = w->context;
    if (m->via == KP_VIA_MEMORY)
        kp_reach(x->base, x->member, m->rank);
}

struct kp_writer kp_writer_of(struct kp_execution *x, struct kp_instruction *chunk)
{
    return (struct kp_writer){.of = &x->call->lowering,
                              .items = chunk,
                              .room = KP_CHUNK,
                              .fits = true,
                              .hand_on = kp_hand_on,
                              .begins = begins,
                              .ends = kp_hand_on,
                              .context = x};
}

/* --- A call with one message --- */

/* Does the same as kp_call_by_barrier, in one round with at most one message each way. */
KP_VARIANT int one_message(const struct kp_execution *x, const bool of_two)
{
    kp_group *member = x->member;
    const uint64_t fingerprint = kp_one_message_fingerprint(x);
    const unsigned generation = kp_member_next_generation(member);
    const enum kp_sync kind = kp_member_sync_kind(member, of_two);
    kp_one_message_begin(x, kind, fingerprint, generation);
    int status = kp_member_await_as(member, kind, fingerprint, 0);
    if (status)
        return status;
    kp_one_message_end(x, generation);
    if (of_two)
        kp_member_fetch_next(
            member, x->call->code->packs ? x->call->code->pack.buffer[generation ^ 1] : NULL);
    return kp_member_close(member);
}

/* --- Calls that the member leaves early --- */

static int rest_of_sender(kp_group *member)
{
    return kp_member_await(member, 0);
}

static int rest_of_reader(kp_group *member)
{
    return kp_member_await(member, -1);
}

KP_VARIANT int one_message_sent(const struct kp_execution *x)
{
    kp_group *member = x->member;
    kp_member_will_leave(member);
    kp_one_message_begin(x, kp_member_sync_kind(member, false), kp_one_message_fingerprint(x),
                         kp_member_next_generation(member));
    kp_member_count(member, x->call->code->c1, x->call->code->c2);
    return kp_member_leave_early(member, rest_of_sender);
}

KP_VARIANT int messages_sent(const struct kp_execution *x)
{
    kp_group *member = x->member;
    const struct kp_code *code = x->call->code;
    kp_member_will_leave(member);
    kp_barrier_begins(x, true, false);
    (void)kp_before_episode(x, code->round, 0, true, true, false);
    if (kp_moves_wait(x, true, false))
        kp_first_moves(x, true);
    kp_member_count(member, code->c1, code->c2);
    return kp_member_leave_early(member, rest_of_sender);
}

/* A reader that finds the source in the call leaves before the episode. For all others nothing is
 * left to do after it. */
KP_VARIANT int source_read(const struct kp_execution *x)
{
    kp_group *member = x->member;
    kp_barrier_begins(x, true, false);
    const int source = kp_source_of(x, true);
    if (source >= 0 && kp_reads_at_once(x, source)) {
        kp_member_count(member, x->call->c1, x->call->c2);
        return kp_member_leave_early(member, rest_of_sender);
    }
    const int status = kp_round_of_one_source(x, true, true);
    if (status)
        return status;
    kp_member_count(member, x->call->c1, x->call->c2);
    return kp_member_close(member);
}

KP_VARIANT int memory_read(const struct kp_execution *x)
{
    kp_group *member = x->member;
    kp_barrier_begins(x, true, false);
    const int status = kp_rounds_by_barrier(x, true, false);
    if (status)
        return status;
    kp_member_count(member, x->call->c1, x->call->c2);
    return kp_member_close_early(member, rest_of_reader);
}

/* --- The ways to carry out a call --- */

/* Each way is a separate function, so that no way saves registers for another way. */
#define KP_WAY(NAME, CARRIED_OUT)                                                                  \
    __attribute__((noinline)) static int NAME(kp_group *member, struct kp_prepared *call,          \
                                              const char *out, char *in, char *scratch)            \
    {                                                                                              \
        char *base[KP_CODE_SPACES];                                                                \
        const struct kp_execution x = {member, call, NULL, base};                                  \
        kp_lay(base, out, in, scratch);                                                            \
        return CARRIED_OUT;                                                                        \
    }
KP_WAY(one_message_of_two, one_message(&x, true))
KP_WAY(one_message_of_many, one_message(&x, false))
KP_WAY(only_one_message, one_message_sent(&x))
KP_WAY(only_messages, messages_sent(&x))
KP_WAY(only_read, memory_read(&x))
KP_WAY(of_one_source, source_read(&x))
KP_WAY(kept_by_barrier, kp_call_by_barrier(&x, true, false))
KP_WAY(kept_by_mail, kp_call_by_mail(&x, true, false))
KP_WAY(kept_by_wire, kp_call_by_wire(&x, true))
KP_WAY(kept_traced,
       call->code->by_mail ? kp_call_by_mail(&x, true, true) : kp_call_by_barrier(&x, true, true))

__attribute__((noinline)) static int streamed(kp_group *member, struct kp_prepared *call,
                                              const char *out, char *in, char *scratch)
{
    struct kp_instruction chunk[KP_CHUNK];
    char *base[KP_CODE_SPACES];
    struct kp_execution x = {member, call, NULL, base};
    struct kp_writer writer = kp_writer_of(&x, chunk);
    const bool traced = kp_member_is_traced(member);
    x.writer = &writer;
    kp_lay(base, out, in, scratch);
    if (call->lowering.way.by_wire)
        return kp_call_by_wire(&x, false);
    return call->lowering.way.by_mail ? kp_call_by_mail(&x, false, traced)
                                      : kp_call_by_barrier(&x, false, traced);
}

int kp_execute(kp_group *member, struct kp_prepared *call, const char *out, char *in, char *scratch)
{
    const struct kp_code *code = call->code;
    if (!code)
        return streamed(member, call, out, in, scratch);
    if (code->one_message && kp_member_is_plain(member))
        return code->of_two ? one_message_of_two(member, call, out, in, scratch)
                            : one_message_of_many(member, call, out, in, scratch);
    if (code->by_wire)
        return kept_by_wire(member, call, out, in, scratch);
    if (kp_member_is_traced(member))
        return kept_traced(member, call, out, in, scratch);
    return code->by_mail ? kept_by_mail(member, call, out, in, scratch)
                         : kept_by_barrier(member, call, out, in, scratch);
}

int kp_execute_leaving(kp_group *member, struct kp_prepared *call, const char *out, char *in,
                       char *scratch)
{
    const struct kp_code *code = call->code;
    const bool one_source = call->lowering.way.one_source;
    if (!code || !(code->sends || code->free_at_end || one_source) || !kp_member_may_leave(member))
        return kp_execute(member, call, out, in, scratch);
    if (one_source)
        return of_one_source(member, call, out, in, scratch);
    if (code->free_at_end)
        return only_read(member, call, out, in, scratch);
    return code->one_message ? only_one_message(member, call, out, in, scratch)
                             : only_messages(member, call, out, in, scratch);
}
