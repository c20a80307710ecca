/* Runs a schedule backwards as a reduction. A broadcast becomes a reduction, and a concatenation
 * becomes a reduce-scatter.
 *
 * Source: Saad and Schultz 1985 use the duality of one-to-all and all-to-one for scatter and
 * gather. For reductions it is folklore (Bar-Noy, Kipnis and Schieber 1993, "Optimal computation of
 * census functions in the postal model"; Traff 2024 for the circulant reduce-scatter).
 *
 * How it works. Forwards, every unit spreads along a tree. The tree begins at the unit's origin and
 * reaches every other processor once. Backwards, every message goes the other way, and the
 * processor that gets it combines it with its own value of the same units. At first this value is
 * the processor's operand in the outgoing buffer. Later it is the result of the combinations so
 * far, the accumulator. The set `added` has the units with an accumulator. So each operand travels
 * along the tree to the origin and is combined once. An accumulator lies in the incoming buffer if
 * this processor gets the result, otherwise in scratch.
 *
 * Operands are combined in the order of the tree, so the operator has to be commutative. The
 * forward schedule may have no moves except moves from the outgoing to the incoming buffer before
 * round 0. */
#include "lib/problem/operation.h"
#include "lib/schedule/arithmetic.h"
#include "lib/schedule/builder.h"
#include "lib/schedule/intervals.h"
#include "ports/port.h"

struct reversal {
    struct kp_builder *b;
    const struct kp_schedule *s;
    int64_t size; /* the number of units in the forward schedule's incoming buffer */
    bool all_have_results;
    /* The first unit of the block that begins at this processor in the forward schedule. */
    int64_t own;
    struct kp_vector added;  /* the units with an accumulator (struct kp_interval) */
    struct kp_vector passed; /* the units that this processor sends on (struct kp_interval) */
};

static void fail(struct reversal *v, int status, const char *sentence)
{
    if (!v->b->status)
        v->b->status = kp_set_error(status, "%s", sentence);
}

/* Returns whether each processor gets the result of a block of its own (reduce-scatter). */
static bool scatters(const struct reversal *v)
{
    return kp_operation_blocks(v->b->schedule->problem.operation, KP_OUT) == KP_BLOCK_EACH;
}

static kp_piece operand(int64_t first, int64_t units)
{
    return kp_run_of(KP_OUT, first, units);
}

static kp_piece accumulator(const struct reversal *v, int64_t first, int64_t units)
{
    /* Rank 0 is the root, because ranks are counted from the root. */
    bool result = v->all_have_results || v->b->rank == 0;
    if (scatters(v))
        result = first >= v->own && first < v->own + v->s->units_of_block;
    if (result)
        return kp_run_of(KP_IN, scatters(v) ? first - v->own : first, units);
    kp_build_scratch(v->b, v->size);
    return kp_run_of(KP_SCRATCH, first, units);
}

/* --- From messages to stretches of units --- */

/* Neighbouring units of one run of a piece. Either all of them have an accumulator, or none has
 * one. */
struct stretch {
    int64_t first, units;
    bool added;
};

typedef void stretch_action(struct reversal *v, struct stretch stretch);

static void each_stretch(struct reversal *v, int64_t first, int64_t end, stretch_action *action)
{
    while (first < end) {
        int64_t to = end, own_end = v->own + v->s->units_of_block;
        bool added = kp_intervals_hold(&v->added, first, &to);
        to = first < v->own ? kp_least(to, v->own) : first < own_end ? kp_least(to, own_end) : to;
        action(v, (struct stretch){first, to - first, added});
        first = to;
    }
}

/* Calls `action` for all units of a message, in the order of its pieces. */
static void each_of_message(struct reversal *v, const kp_message *m, stretch_action *action)
{
    for (int i = 0; i < m->piece_count; i++) {
        const kp_piece *piece = &m->pieces[i];
        int64_t shift = piece->space == KP_OUT ? v->own : 0;
        if (piece->space == KP_SCRATCH)
            fail(v, KP_ESCHEDULE, "a schedule with scratch cannot become a reduction");
        for (int64_t run = 0; run < piece->count; run++) {
            int64_t first = kp_mod(piece->first + run * piece->stride + shift, v->size);
            int64_t end = kp_least(first + piece->run, v->size);
            each_stretch(v, first, end, action);
            each_stretch(v, 0, piece->run - (end - first), action);
        }
    }
}

/* --- Actions --- */

static void name_accumulator(struct reversal *v, struct stretch t)
{
    kp_build_piece(v->b, accumulator(v, t.first, t.units));
}

static void name_operand(struct reversal *v, struct stretch t)
{
    kp_build_operand(v->b, t.added ? accumulator(v, t.first, t.units) : operand(t.first, t.units));
}

static void name_contents(struct reversal *v, struct stretch t)
{
    kp_build_piece(v->b, t.added ? accumulator(v, t.first, t.units) : operand(t.first, t.units));
}

static void mark_added(struct reversal *v, struct stretch t)
{
    if (!kp_intervals_add(&v->added, t.first, t.first + t.units))
        fail(v, KP_EMEMORY, "there is no memory for the schedule");
}

static void mark_passed(struct reversal *v, struct stretch t)
{
    if (!kp_intervals_add(&v->passed, t.first, t.first + t.units))
        fail(v, KP_EMEMORY, "there is no memory for the schedule");
}

/* Copies units whose result is the processor's own operand, because they were never combined and
 * are not sent on. This happens if there is only one processor, or if blocks have no units. */
static void keep(struct reversal *v, struct stretch t)
{
    int64_t end = t.first + t.units;
    for (int64_t first = t.first, to; first < end && !t.added; first = to) {
        to = end;
        if (!kp_intervals_hold(&v->passed, first, &to))
            kp_build_move(v->b, operand(first, to - first), accumulator(v, first, to - first));
    }
}

/* --- Rounds --- */

static void reverse_round(struct reversal *v, int round)
{
    const struct kp_schedule *s = v->s;
    int rank = v->b->rank;
    for (int i = 0; i < kp_schedule_receives(s, rank, round); i++) {
        kp_message in = kp_schedule_receive(s, rank, round, i);
        kp_build_send(v->b, in.port, in.peer);
        each_of_message(v, &in, name_contents);
        each_of_message(v, &in, mark_passed);
    }
    for (int i = 0; i < kp_schedule_sends(s, rank, round); i++) {
        kp_message out = kp_schedule_send(s, rank, round, i);
        kp_build_combine(v->b, out.port, out.peer, KP_RIGHT);
        each_of_message(v, &out, name_accumulator);
        each_of_message(v, &out, name_operand);
        each_of_message(v, &out, mark_added);
    }
    if (kp_schedule_moves(s, rank, round) > 0)
        fail(v, KP_ESCHEDULE, "a schedule with moves between rounds cannot become a reduction");
}

/* Writes a round of the forward schedule unchanged. The blocks that it moves are the results. */
static void go_back(struct kp_builder *b, const struct kp_schedule *s, int round)
{
    for (int i = 0; i < kp_schedule_sends(s, b->rank, round); i++) {
        kp_message out = kp_schedule_send(s, b->rank, round, i);
        kp_build_send(b, out.port, out.peer);
        for (int j = 0; j < out.piece_count; j++)
            kp_build_piece(b, out.pieces[j]);
    }
    for (int i = 0; i < kp_schedule_receives(s, b->rank, round); i++) {
        kp_message in = kp_schedule_receive(s, b->rank, round, i);
        kp_build_receive(b, in.port, in.peer);
        for (int j = 0; j < in.piece_count; j++)
            kp_build_piece(b, in.pieces[j]);
    }
}

void kp_mirror_reduction(struct kp_builder *b, const struct kp_schedule *s)
{
    bool for_each = s->per_processor[KP_IN];
    struct reversal v = {.b = b,
                         .s = s,
                         .size = s->units[KP_IN],
                         .all_have_results = !kp_operation_has_root(b->schedule->problem.operation),
                         .own = for_each ? b->rank * s->units_of_block : 0};
    for (int round = s->rounds - 1; round >= 0 && !b->status; round--) {
        kp_build_round(b);
        reverse_round(&v, round);
    }
    each_stretch(&v, 0, v.size, keep);
    for (int round = 0; b->schedule->problem.algorithm->and_back && round < s->rounds; round++) {
        kp_build_round(b);
        go_back(b, s, round);
    }
    kp_vector_free(&v.added);
    kp_vector_free(&v.passed);
}
