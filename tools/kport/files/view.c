#include "tools/kport/files/view.h"

#include "lib/problem/operation.h"

#include <stdio.h>
#include <stdlib.h>

/* --- Pieces --- */

static bool add_piece(struct view_pieces *pieces, kp_piece piece)
{
    if (pieces->count == pieces->room) {
        size_t room = pieces->room ? 2 * pieces->room : 16;
        kp_piece *larger = realloc(pieces->list, room * sizeof *larger);
        if (!larger)
            return false;
        pieces->list = larger;
        pieces->room = room;
    }
    pieces->list[pieces->count++] = piece;
    return true;
}

static bool may_follow(const kp_piece *last, kp_space space, int64_t first, int64_t run)
{
    int64_t stride = first - last->first;
    if (last->space != space || last->run != run)
        return false;
    return last->count == 1 ? llabs(stride) >= run : stride == last->count * last->stride;
}

/* Adds neighbouring places to the pieces. */
static bool add_run(struct view_pieces *pieces, kp_space space, int64_t first, int64_t run)
{
    kp_piece *last = pieces->count ? &pieces->list[pieces->count - 1] : NULL;
    if (last && last->count == 1 && last->space == space && last->first + last->run == first) {
        last->run += run;
        return true;
    }
    return add_piece(pieces, (kp_piece){space, first, 1, 0, run});
}

/* Joins runs at equal distances, if there are at least three of them: two are easier to read apart.
 */
static void join(struct view_pieces *pieces)
{
    size_t kept = 0;
    for (size_t i = 0, end; i < pieces->count; i = end) {
        kp_piece piece = pieces->list[i];
        for (end = i + 1;
             end < pieces->count && may_follow(&piece, pieces->list[end].space,
                                               pieces->list[end].first, pieces->list[end].run);
             end++) {
            piece.stride = pieces->list[i + 1].first - piece.first;
            piece.count++;
        }
        if (piece.count == 2)
            piece = pieces->list[--end - 1];
        pieces->list[kept++] = piece;
    }
    pieces->count = kept;
}

/* Returns how many places from `position` on follow each other in the space: in a space of n blocks
 * those of a block. */
static int64_t neighbours(const kp_schedule *schedule, kp_space space, int64_t position)
{
    int64_t unit = kp_schedule_unit_of_block(schedule);
    kp_operation operation = kp_schedule_problem(schedule)->operation;
    if (space == KP_SCRATCH || kp_operation_blocks(operation, space) == KP_BLOCK_ONE)
        return INT64_MAX;
    int64_t in_block = position % unit;
    return unit - (in_block < 0 ? in_block + unit : in_block);
}

static bool add_places(const kp_schedule *schedule, int rank, const kp_piece *piece,
                       struct view_pieces *pieces)
{
    for (int64_t i = 0; i < piece->count; i++) {
        int64_t at = piece->first + i * piece->stride;
        for (int64_t left = piece->run, length; left > 0; left -= length, at += length) {
            length = neighbours(schedule, piece->space, at);
            length = length < left ? length : left;
            if (!add_run(pieces, piece->space, kp_schedule_place(schedule, rank, piece->space, at),
                         length))
                return false;
        }
    }
    return true;
}

static bool find_pieces(const kp_schedule *schedule, int rank, const kp_piece *pieces, int count,
                        struct view_pieces *found)
{
    found->count = 0;
    for (int i = 0; i < count; i++) {
        if (!add_places(schedule, rank, &pieces[i], found))
            return false;
    }
    join(found);
    return true;
}

/* --- The steps of a round --- */

struct view {
    const kp_schedule *schedule;
    view_visit *visit;
    void *to;
    struct view_step step;
    struct end *ends; /* the receives of a round */
    size_t end_count, end_room;
};

/* The index of the receive of a message. */
struct end {
    int from, to, index;
};

static int by_ends(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

static bool find_ends(struct view *view, int round)
{
    const int n = kp_schedule_problem(view->schedule)->n;
    view->end_count = 0;
    for (int to = 0; to < n; to++) {
        const int count = kp_schedule_receives(view->schedule, to, round);
        if (view->end_count + (size_t)count > view->end_room) {
            size_t room = 2 * (view->end_room + (size_t)count);
            struct end *larger = realloc(view->ends, room * sizeof *larger);
            if (!larger)
                return false;
            view->ends = larger;
            view->end_room = room;
        }
        for (int i = 0; i < count; i++)
            view->ends[view->end_count++] =
                (struct end){kp_schedule_receive(view->schedule, to, round, i).peer, to, i};
    }
    if (view->end_count > 1)
        qsort(view->ends, view->end_count, sizeof *view->ends, by_ends);
    return true;
}

static bool are_same(const struct view_pieces *a, const struct view_pieces *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++) {
        const kp_piece *x = &a->list[i], *y = &b->list[i];
        same = x->space == y->space && x->first == y->first && x->run == y->run &&
               x->count == y->count && x->stride == y->stride;
    }
    return same;
}

static bool visit_message(struct view *view, int from, int round, int i)
{
    kp_message sent = kp_schedule_send(view->schedule, from, round, i);
    const struct end wanted = {.from = from, .to = sent.peer};
    const struct end *end =
        bsearch(&wanted, view->ends, view->end_count, sizeof *view->ends, by_ends);
    if (!end)
        return true;
    kp_message received = kp_schedule_receive(view->schedule, sent.peer, round, end->index);
    struct view_step *step = &view->step;
    step->from = from;
    step->from_port = sent.port;
    step->to = sent.peer;
    step->to_port = received.port;
    step->move = false;
    step->side = received.combining;
    step->units = sent.units;
    if (!find_pieces(view->schedule, from, sent.pieces, sent.piece_count, &step->sent) ||
        !find_pieces(view->schedule, step->to, received.pieces, received.piece_count, &step->put) ||
        !find_pieces(view->schedule, step->to, received.operand, received.operand_count,
                     &step->operands))
        return false;
    if (are_same(&step->operands, &step->put))
        step->operands.count = 0;
    return view->visit(view->to, step);
}

static bool messages(struct view *view, int round)
{
    const int n = kp_schedule_problem(view->schedule)->n;
    view->step.round = round;
    if (!find_ends(view, round))
        return false;
    for (int from = 0; from < n; from++) {
        for (int i = 0; i < kp_schedule_sends(view->schedule, from, round); i++) {
            if (!visit_message(view, from, round, i))
                return false;
        }
    }
    return true;
}

/* --- Moves --- */

/* Splits the longer of the two pieces that are begun, so that both are runs of equal length, and
 * adds these to `sent` and `put`. */
static bool pair_up(const struct view_pieces *from, const struct view_pieces *to,
                    struct view_pieces *sent, struct view_pieces *put)
{
    int64_t taken_from = 0, taken_to = 0;
    sent->count = put->count = 0;
    for (size_t i = 0, j = 0; i < from->count && j < to->count;) {
        const kp_piece *a = &from->list[i], *b = &to->list[j];
        int64_t left_a = a->run - taken_from, left_b = b->run - taken_to;
        int64_t run = left_a < left_b ? left_a : left_b;
        if (!add_piece(sent, kp_run_of(a->space, a->first + taken_from, run)) ||
            !add_piece(put, kp_run_of(b->space, b->first + taken_to, run)))
            return false;
        taken_from += run;
        taken_to += run;
        i += taken_from == a->run;
        j += taken_to == b->run;
        taken_from = taken_from == a->run ? 0 : taken_from;
        taken_to = taken_to == b->run ? 0 : taken_to;
    }
    return true;
}

/* Adds the places of a piece one run after the other. */
static bool find_runs(const kp_schedule *schedule, int rank, const kp_piece *piece,
                      struct view_pieces *found)
{
    found->count = 0;
    return add_places(schedule, rank, piece, found);
}

/* Visits the runs as few moves: runs at equal distances on both sides are one. */
static bool visit_runs(struct view *view, const struct view_pieces *from,
                       const struct view_pieces *to)
{
    struct view_step *step = &view->step;
    for (size_t i = 0, end; i < from->count; i = end) {
        kp_piece a = from->list[i], b = to->list[i];
        for (end = i + 1; end < from->count; end++) {
            const kp_piece *x = &from->list[end], *y = &to->list[end];
            if (!may_follow(&a, x->space, x->first, x->run) ||
                !may_follow(&b, y->space, y->first, y->run))
                break;
            a.stride = from->list[i + 1].first - a.first;
            b.stride = to->list[i + 1].first - b.first;
            a.count = ++b.count;
        }
        step->sent.list[0] = a;
        step->put.list[0] = b;
        step->sent.count = step->put.count = 1;
        step->units = a.count * a.run;
        if (!view->visit(view->to, step))
            return false;
    }
    return true;
}

static bool visit_move(struct view *view, int rank, const kp_move *move)
{
    struct view_step *step = &view->step;
    struct view_pieces from = {.list = NULL}, to = {.list = NULL};
    step->from = step->to = rank;
    step->from_port = step->to_port = 0;
    step->move = true;
    step->side = move->combining;
    step->operands.count = 0;
    bool room = find_runs(view->schedule, rank, &move->from, &step->sent) &&
                find_runs(view->schedule, rank, &move->to, &step->put) &&
                pair_up(&step->sent, &step->put, &from, &to) && visit_runs(view, &from, &to);
    free(from.list);
    free(to.list);
    return room;
}

static bool moves(struct view *view, int round)
{
    const int n = kp_schedule_problem(view->schedule)->n;
    view->step.round = round;
    for (int rank = 0; rank < n; rank++) {
        for (int i = 0; i < kp_schedule_moves(view->schedule, rank, round); i++) {
            kp_move move = kp_schedule_move(view->schedule, rank, round, i);
            if (!visit_move(view, rank, &move))
                return false;
        }
    }
    return true;
}

bool view_steps(const kp_schedule *schedule, view_visit *visit, void *to)
{
    struct view view = {.schedule = schedule, .visit = visit, .to = to};
    bool goes_on = moves(&view, -1);
    for (int round = 0; round < kp_schedule_rounds(schedule) && goes_on; round++)
        goes_on = messages(&view, round) && moves(&view, round);
    free(view.step.sent.list);
    free(view.step.put.list);
    free(view.step.operands.list);
    free(view.ends);
    return goes_on;
}
