#include "lib/execute/way.h"

#include "kport/model.h"
#include "lib/execute/cursor.h"
#include "lib/problem/operation.h"
#include "lib/tune/thresholds.h"
#include "ports/member.h"

/* In bytes. The root of a scatter would pack all blocks by itself. Among fibers, longer blocks take
 * less time if each member reads its own one (one_source). */
#define MOST_PACKED 1024

static bool is_read_from_root(const kp_group *member, const struct kp_schedule *s, size_t unit)
{
    return s->problem.operation == KP_SCATTER && s->rounds == 1 &&
           kp_member_counts_readers(member) && unit * (size_t)s->units_of_block > MOST_PACKED;
}

static bool is_eager(const kp_group *member, const struct kp_schedule *s, size_t unit, bool by_mail,
                     int round)
{
    if (!by_mail && is_read_from_root(member, s, unit))
        return false;
    size_t longest = (size_t)s->buffer_units[round] * unit,
           all = (size_t)s->all_units[round] * unit;
    return by_mail ? kp_mail_packs(member, longest, all) : kp_port_packs(member, longest, all);
}

bool kp_way_is_eager(const struct kp_lowering *l, const kp_group *member, int round)
{
    return !l->way.of_blocks && is_eager(member, l->schedule, l->unit, l->way.by_mail, round);
}

/* Returns whether a request goes by the barrier. It does if all its messages come in one round, and
 * each member needs one of every other. In any other request a member would also wait for members
 * from which it needs nothing. */
static bool meets(const kp_group *member, const struct kp_schedule *s)
{
    const kp_operation operation = s->problem.operation;
    return kp_member_is_lane(member) && s->rounds == 1 &&
           (operation == KP_INDEX || operation == KP_CONCAT || operation == KP_ALLREDUCE ||
            operation == KP_REDUCE_SCATTER);
}

/* Returns whether all members read the memory of one, and do so when they come (one_source). In a
 * scatter each reads another part. In a broadcast all read the same, which stays in the cache if
 * they read one after the other, when all have come. And if few members share a worker, the source
 * copies a part (kp_way_sender_part), as its worker has one copy less to make. So a broadcast is
 * read early only if it moves more than the caches hold, among many members. */
static bool has_one_source(const kp_group *member, const struct kp_schedule *s,
                           const struct kp_way *way)
{
    if (!way->zero_copy || way->by_mail || s->rounds != 1 || !kp_member_counts_readers(member))
        return false;
    return s->problem.operation == KP_SCATTER ||
           (s->problem.operation == KP_BROADCAST && way->past_cache &&
            s->problem.n >= 8 * kp_member_workers(member));
}

struct kp_way kp_way_of(const kp_group *member, const struct kp_thresholds *thresholds,
                        const struct kp_schedule *s, size_t unit, bool may_mail, bool in_place)
{
    const struct kp_operation_row *row = kp_operation_row(s->problem.operation);
    kp_problem moved = s->problem;
    struct kp_way way = {.least_part = thresholds->bytes[KP_LEAST_PART]};
    /* The moves before the first episode only set addresses in the table. No data may move yet,
     * because the members may still refuse the call. */
    if (row->lengths && !s->problem.algorithm->pads)
        return (struct kp_way){.zero_copy = !kp_is_wired(member),
                               .by_wire = kp_is_wired(member),
                               .early = true,
                               .of_blocks = true,
                               .traced = kp_member_is_traced(member)};
    /* If blocks have lengths of their own, the members have compared these lengths by the barrier.
     * Then the call also goes on by the barrier. */
    way.by_wire = kp_is_wired(member);
    way.by_mail = may_mail && kp_mail_keeps(member) && !row->lengths && !meets(member, s);
    way.roundless = (way.by_mail || way.by_wire) && unit == 0 && !row->no_bytes;
    for (int round = 0; round < s->rounds && !way.by_wire; round++) {
        size_t buffer_bytes = (size_t)s->buffer_units[round] * unit;
        way.zero_copy = way.zero_copy || !is_eager(member, s, unit, way.by_mail, round);
        way.long_buffers =
            way.long_buffers || (way.by_mail && kp_mail_is_long(member, buffer_bytes));
    }
    /* The factor 2 counts each byte twice, because it is read and written. */
    moved.b = unit * (size_t)s->units_of_block;
    way.past_cache =
        way.zero_copy && 2 * kp_operation_bytes(&moved) > (double)thresholds->bytes[KP_PAST_CACHE];
    way.padded = s->problem.algorithm->pads;
    way.one_source = has_one_source(member, s, &way);
    way.early = !KP_HAS(MOVES_MEANWHILE) || way.by_mail || in_place || s->moves_early ||
                s->rounds == 0 || row->one_buffer || way.padded;
    return way;
}

/* Returns the number of messages and moves that write to a processor's memory in a round. The moves
 * before round 0 count with round 0. */
static uint32_t writes_in(const struct kp_schedule *s, int rank, int round)
{
    const struct stored_round *r = kp_schedule_round(s, rank, round);
    return r[1].receive - r[0].receive + r[1].move - r[round == 0 ? -1 : 0].move;
}

size_t kp_way_sender_part(const struct kp_lowering *l, const struct stored_message *received,
                          int sender, int receiver, int round)
{
    const struct kp_schedule *s = l->schedule;
    if (round != s->rounds - 1 || received->combining || l->way.of_blocks || l->way.one_source)
        return 0;
    size_t bytes = (size_t)received->units * l->unit;
    const struct stored_round *r = kp_schedule_round(s, sender, round);
    uint32_t sends = r[1].send - r[0].send, writes = writes_in(s, receiver, round);
    if (KP_HAS(PUTS) && s->may_be_put && writes > sends)
        return bytes;
    /* If `writes` > 1, a move of the receiver may read the message in this round. The sender's part
     * of the message would come too late, because it is complete only after the next episode. */
    if (!KP_HAS(HALVES) || writes > 1 || writes_in(s, sender, round) > 0)
        return 0;
    /* The sender copies a part 1 / (s + 1) of each of its s messages. So the sender and each
     * receiver copy equally much: s / (s + 1) of a message. */
    size_t part = bytes / ((size_t)sends + 1) / KP_CACHE_LINE * KP_CACHE_LINE;
    return part < l->way.least_part ? 0 : part;
}

/* The last round must be zero copy, and no moves may follow it. The threads of a core must arrive
 * together, which the core sets ensure. A call that is started does not copy for others: who
 * arrives last would do so within the start, and begin its own work late. */
bool kp_way_together(const kp_group *member, const struct kp_code *code)
{
    if (!KP_HAS(TOGETHER) || code->by_mail || code->rounds == 0 || kp_member_is_lane(member) ||
        !kp_sync_has_core_sets(member))
        return false;
    const struct code_round *last = &code->round[code->rounds - 1];
    return last->zero_copy && last->move == last->end;
}
