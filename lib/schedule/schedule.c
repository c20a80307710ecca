#include "lib/schedule/schedule_data.h"

#include "lib/problem/holders.h"
#include "lib/schedule/arithmetic.h"
#include "lib/schedule/symmetry.h"
#include "ports/port.h"

#include <stdlib.h>

void kp_schedule_free(kp_schedule *schedule)
{
    if (!schedule)
        return;
    free(schedule->round_index);
    free(schedule->sends);
    free(schedule->receives);
    free(schedule->moves);
    free(schedule->packs);
    free(schedule->pieces);
    free(schedule->buffer_units);
    free(schedule->all_units);
    free(schedule->scratch_places);
    free(schedule);
    kp_holders_leave();
}

/* --- The public functions that read a schedule --- */

bool kp_schedule_given(const struct kp_schedule *schedule)
{
    if (schedule)
        return true;
    kp_set_error(KP_EARGUMENT, "the schedule is NULL; it must be what kp_schedule_build made");
    return false;
}

const kp_problem *kp_schedule_problem(const kp_schedule *schedule)
{
    return kp_schedule_given(schedule) ? &schedule->problem : NULL;
}

int kp_schedule_rounds(const kp_schedule *schedule)
{
    return kp_schedule_given(schedule) ? schedule->rounds : -1;
}

static int64_t refuse_space(kp_space space)
{
    kp_set_error(KP_EARGUMENT, "space is %d; it may be 0 ... %d", (int)space, (int)KP_SPACES - 1);
    return -1;
}

int64_t kp_schedule_units(const kp_schedule *schedule, kp_space space)
{
    if (!kp_schedule_given(schedule))
        return -1;
    return (unsigned)space < KP_SPACES ? schedule->units[space] : refuse_space(space);
}

int64_t kp_schedule_unit_of_block(const kp_schedule *schedule)
{
    return kp_schedule_given(schedule) ? schedule->units_of_block : -1;
}

/* Turns a rank into its number counted from the root, as kp_schedule_counted has it. */
static int from_root(const struct kp_schedule *s, int rank)
{
    int root = s->counted_from;
    return rank >= root ? rank - root : rank - root + s->problem.n;
}

int kp_schedule_counted(const struct kp_schedule *s, int counted)
{
    int to_end = s->problem.n - s->counted_from;
    return counted < to_end ? counted + s->counted_from : counted - to_end;
}

static void refuse_number(const char *what, long number, long low, long high)
{
    kp_set_error(KP_EARGUMENT, "%s is %ld; it may be %ld ... %ld", what, number, low, high);
}

static bool has_rank(const struct kp_schedule *s, int rank)
{
    if (rank >= 0 && rank < s->problem.n)
        return true;
    refuse_number("rank", rank, 0, s->problem.n - 1);
    return false;
}

/* Returns the entry of a round. If there is no such rank or round, sets the error and returns
 * NULL. */
static const struct stored_round *round_of(const struct kp_schedule *s, int rank, int round)
{
    if (!kp_schedule_given(s) || !has_rank(s, rank))
        return NULL;
    if (round >= -1 && round < s->rounds)
        return kp_schedule_round(s, from_root(s, rank), round);
    refuse_number("round", round, -1, s->rounds - 1);
    return NULL;
}

/* Returns whether the items `begin` ... `end` - 1 include an i-th item. Otherwise sets the error.
 * `what` names the items. */
static bool has(const char *what, uint32_t begin, uint32_t end, int i)
{
    if (i >= 0 && (uint32_t)i < end - begin)
        return true;
    kp_set_error(KP_EARGUMENT, "%s %d is asked for; in this round this processor has %u, from 0 on",
                 what, i, (unsigned)(end - begin));
    return false;
}

int kp_schedule_peer(const struct kp_schedule *s, int rank, int x)
{
    if (s->symmetry == KP_NO_SYMMETRY)
        return x;
    if (s->symmetry == KP_CYCLIC)
        return x < s->problem.n - rank ? rank + x : rank + x - s->problem.n;
    return s->radix == 2 ? rank ^ x : (int)kp_digit_sum(rank, x, s->radix);
}

static kp_message seen_by(const struct kp_schedule *s, int rank, const struct stored_message *m)
{
    uint32_t operands = 0;
    const kp_piece *operand = m->combining ? kp_operand_of(s, m, &operands) : NULL;
    return (kp_message){
        .port = m->port,
        .combining = (kp_combining)m->combining,
        .operand = operand,
        .operand_count = (int)operands,
        .peer = kp_schedule_counted(s, kp_schedule_peer(s, from_root(s, rank), m->peer)),
        .pieces = s->pieces + m->first_piece,
        .piece_count = (int)m->piece_count,
        .units = m->units,
        .row = m->buffer_place};
}

static const kp_message no_message = {.port = -1, .peer = -1};

int kp_schedule_sends(const kp_schedule *schedule, int rank, int round)
{
    const struct stored_round *r = round_of(schedule, rank, round);
    return r ? (int)(r[1].send - r[0].send) : -1;
}

int kp_schedule_receives(const kp_schedule *schedule, int rank, int round)
{
    const struct stored_round *r = round_of(schedule, rank, round);
    return r ? (int)(r[1].receive - r[0].receive) : -1;
}

kp_message kp_schedule_send(const kp_schedule *schedule, int rank, int round, int i)
{
    const struct stored_round *r = round_of(schedule, rank, round);
    if (!r || !has("message out", r[0].send, r[1].send, i))
        return no_message;
    return seen_by(schedule, rank, &schedule->sends[r->send + (uint32_t)i]);
}

kp_message kp_schedule_receive(const kp_schedule *schedule, int rank, int round, int i)
{
    const struct stored_round *r = round_of(schedule, rank, round);
    if (!r || !has("message in", r[0].receive, r[1].receive, i))
        return no_message;
    return seen_by(schedule, rank, &schedule->receives[r->receive + (uint32_t)i]);
}

int kp_schedule_moves(const kp_schedule *schedule, int rank, int round)
{
    const struct stored_round *r = round_of(schedule, rank, round);
    return r ? (int)(r[1].move - r[0].move) : -1;
}

kp_move kp_schedule_move(const kp_schedule *schedule, int rank, int round, int i)
{
    const struct stored_round *r = round_of(schedule, rank, round);
    if (!r || !has("move", r[0].move, r[1].move, i))
        return (kp_move){.combining = KP_COPY};
    return schedule->moves[r->move + (uint32_t)i];
}

int64_t kp_schedule_place(const kp_schedule *schedule, int rank, kp_space space, int64_t position)
{
    if (!kp_schedule_given(schedule) || !has_rank(schedule, rank))
        return -1;
    if ((unsigned)space >= KP_SPACES)
        return refuse_space(space);
    int64_t size = schedule->units[space];
    if (size == 0)
        return -1;
    if (!schedule->per_processor[space])
        return position >= 0 && position < size ? position : -1;
    int64_t unit = schedule->units_of_block;
    int64_t place = kp_mod(position, size);
    if (schedule->symmetry == KP_NO_SYMMETRY)
        return kp_mod(place + schedule->counted_from * unit, size);
    if (schedule->symmetry == KP_CYCLIC)
        return kp_mod(place + rank * unit, size);
    int64_t block = kp_schedule_peer(schedule, from_root(schedule, rank), (int)(place / unit));
    return kp_schedule_counted(schedule, (int)block) * unit + place % unit;
}
