/* Writes the schedule of a smaller problem as a stage of another schedule. Members' numbers become
 * ranks, and the positions of the smaller schedule become places in the layouts of the stage. */
#include "lib/schedule/stage.h"

#include "lib/schedule/arithmetic.h"
#include "lib/schedule/builder.h"
#include "lib/schedule/piece.h"

struct view {
    struct kp_builder *b;
    const struct kp_stage *stage;
    const struct kp_schedule *s; /* the smaller schedule */
    int member;                  /* this processor's number in its group */
    int64_t weight;              /* the units that a unit of the smaller schedule stands for */
};

/* Returns the longest run that begins with unit `at` of a piece of the smaller schedule, where `at`
 * counts units of the whole schedule. */
static kp_piece run_at(const struct view *v, const kp_piece *piece, int64_t at)
{
    const struct kp_layout *l = piece->space == KP_OUT ? &v->stage->out : &v->stage->in;
    int64_t unit = at / v->weight, rest = at % v->weight, in_run = unit % piece->run;
    int64_t position = piece->first + unit / piece->run * piece->stride + in_run;
    int64_t place = kp_schedule_place(v->s, v->member, piece->space, position);
    int64_t most = (piece->run - in_run) * v->weight - rest, block = v->s->units_of_block;
    if (piece->space == KP_SCRATCH)
        return kp_run_of(KP_SCRATCH, v->stage->scratch + place * v->weight + rest, most);
    /* Positions wrap around and follow the rank, but a block stays whole. No run of a layout is
     * longer than a block. */
    int64_t in_block = place % block * v->weight + rest;
    int64_t first = l->first + place / block * l->step + in_block / l->run * l->stride;
    return kp_run_of(l->space, first + in_block % l->run,
                     kp_least(most, l->run - in_block % l->run));
}

static void build_pieces(const struct view *v, const kp_piece *pieces, int count,
                         void (*build)(kp_builder *, kp_piece))
{
    for (int i = 0; i < count; i++) {
        int64_t units = kp_piece_units(&pieces[i]) * v->weight;
        for (int64_t at = 0; at < units;) {
            kp_piece run = run_at(v, &pieces[i], at);
            build(v->b, run);
            at += run.run;
        }
    }
}

static int rank_of(const struct view *v, int member)
{
    return v->stage->first + member * v->stage->distance;
}

static void build_messages(const struct view *v, int round)
{
    for (int i = 0; i < kp_schedule_sends(v->s, v->member, round); i++) {
        kp_message out = kp_schedule_send(v->s, v->member, round, i);
        kp_build_send(v->b, out.port, rank_of(v, out.peer));
        build_pieces(v, out.pieces, out.piece_count, kp_build_piece);
    }
    for (int i = 0; i < kp_schedule_receives(v->s, v->member, round); i++) {
        kp_message in = kp_schedule_receive(v->s, v->member, round, i);
        if (in.combining == KP_COPY)
            kp_build_receive(v->b, in.port, rank_of(v, in.peer));
        else
            kp_build_combine(v->b, in.port, rank_of(v, in.peer), in.combining);
        build_pieces(v, in.pieces, in.piece_count, kp_build_piece);
        build_pieces(v, in.operand, in.operand_count, kp_build_operand);
    }
}

/* Writes a move. Where the layouts put both of its ends at the same place, nothing moves. */
static void build_move(const struct view *v, const kp_move *move)
{
    int64_t units = kp_piece_units(&move->from) * v->weight;
    for (int64_t at = 0; at < units;) {
        kp_piece from = run_at(v, &move->from, at), to = run_at(v, &move->to, at);
        at += from.run = to.run = kp_least(from.run, to.run);
        if (move->combining != KP_COPY)
            kp_build_fold(v->b, from, to, move->combining);
        else if (from.space != to.space || from.first != to.first)
            kp_build_move(v->b, from, to);
    }
}

static void build_round(const struct view *v, int round)
{
    if (round >= 0)
        build_messages(v, round);
    for (int i = 0; i < kp_schedule_moves(v->s, v->member, round); i++) {
        kp_move move = kp_schedule_move(v->s, v->member, round, i);
        build_move(v, &move);
    }
}

/* Returns the schedule of the next stage. The first processor builds it for all processors. */
static const struct kp_schedule *next_schedule(kp_builder *b, const struct kp_stage *stage)
{
    struct kp_schedule **schedule = &b->stages[b->stage++];
    if (!b->status && !*schedule)
        b->status = b->build(&stage->problem, schedule);
    return b->status ? NULL : *schedule;
}

void kp_build_stage(kp_builder *b, const struct kp_stage *stage)
{
    const struct kp_schedule *s = next_schedule(b, stage);
    if (!s)
        return;
    struct view v = {.b = b,
                     .stage = stage,
                     .s = s,
                     .member = (b->rank - stage->first) / stage->distance,
                     .weight = stage->in.count * stage->in.run / s->units_of_block};
    bool idle = stage->waits || v.weight == 0;
    kp_build_scratch(b, stage->scratch + s->units[KP_SCRATCH] * v.weight);
    for (int round = -1; round < s->rounds; round++) {
        if (round >= 0)
            kp_build_round(b);
        if (!idle)
            build_round(&v, round);
    }
}
