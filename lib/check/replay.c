#include "lib/check/replay.h"

#include "lib/problem/operation.h"
#include "lib/schedule/arithmetic.h"
#include "ports/port.h"

#include <stdio.h>
#include <stdlib.h>

/* --- Cuts: the offsets in a block at which its cells begin --- */

/* Returns the index of the last cut that is at most `offset`. */
static size_t cut_before(const struct kp_vector *cuts, int64_t offset)
{
    const int64_t *all = cuts->items;
    size_t low = 0, high = cuts->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (all[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Adds a cut at `offset` unless there is one already. Sets `grown` if it adds a cut. Returns false
 * if there is no memory. */
static bool add_cut(struct kp_vector *cuts, int64_t offset, bool *grown)
{
    size_t at = cut_before(cuts, offset);
    if (((int64_t *)cuts->items)[at] == offset)
        return true;
    if (!kp_vector_add(cuts, sizeof(int64_t)))
        return false;
    int64_t *all = cuts->items;
    for (size_t i = cuts->count - 1; i > at + 1; i--)
        all[i] = all[i - 1];
    all[at + 1] = offset;
    *grown = true;
    return true;
}

/* A position in a list of pieces. It moves forward, unit by unit. */
struct walk {
    const kp_piece *piece, *end;
    int64_t run;    /* the number of the piece's runs that have begun */
    int64_t offset; /* the offset of the current unit in its block */
    int64_t left;   /* the number of units left in the current run */
};

static bool walk_on(struct walk *w, int64_t unit)
{
    while (w->left == 0) {
        if (w->piece != w->end && w->run == w->piece->count) {
            w->piece++;
            w->run = 0;
        }
        if (w->piece == w->end)
            return false;
        int64_t first = w->piece->first + w->run++ * w->piece->stride;
        w->offset = (first % unit + unit) % unit;
        w->left = w->piece->run;
    }
    return true;
}

/* Returns the number of units from the position to the next cut or to the end of the run, whichever
 * is nearer. */
static int64_t reach(const struct walk *w, const struct kp_vector *cuts, int64_t unit)
{
    size_t next = cut_before(cuts, w->offset) + 1;
    int64_t end = next < cuts->count ? ((const int64_t *)cuts->items)[next] : unit;
    return end - w->offset < w->left ? end - w->offset : w->left;
}

/* Adds cuts until both ends of a copy are cut at the same units of the copy. */
static bool cut_alike(struct kp_replay *r, struct walk a, struct walk b, bool *grown)
{
    while (walk_on(&a, r->unit) && walk_on(&b, r->unit)) {
        if (!add_cut(&r->cuts, a.offset, grown) || !add_cut(&r->cuts, b.offset, grown))
            return false;
        int64_t x = reach(&a, &r->cuts, r->unit), y = reach(&b, &r->cuts, r->unit);
        int64_t step = x < y ? x : y;
        struct walk *both[] = {&a, &b};
        for (int i = 0; i < 2; i++) {
            both[i]->offset = (both[i]->offset + step) % r->unit;
            both[i]->left -= step;
            if (!add_cut(&r->cuts, both[i]->offset, grown))
                return false;
        }
    }
    return true;
}

static struct walk walk_of(const kp_piece *pieces, int count)
{
    return (struct walk){.piece = pieces, .end = pieces + count};
}

static bool cut_round(struct kp_replay *r, int rank, int round, bool *grown)
{
    const kp_schedule *s = r->schedule;
    for (int i = 0; i < kp_schedule_moves(s, rank, round); i++) {
        kp_move move = kp_schedule_move(s, rank, round, i);
        if (!cut_alike(r, walk_of(&move.from, 1), walk_of(&move.to, 1), grown))
            return false;
    }
    int receives = round < 0 ? 0 : kp_schedule_receives(s, rank, round);
    for (int i = 0; i < receives; i++) {
        kp_message in = kp_schedule_receive(s, rank, round, i);
        int j = kp_replay_find_send(s, in.peer, round, rank, i);
        if (j < 0)
            continue;
        kp_message out = kp_schedule_send(s, in.peer, round, j);
        struct walk to = walk_of(in.pieces, in.piece_count);
        if (!cut_alike(r, walk_of(out.pieces, out.piece_count), to, grown) ||
            (in.operand && !cut_alike(r, walk_of(in.operand, in.operand_count), to, grown)))
            return false;
    }
    return true;
}

/* Adds all necessary cuts. A cut at one end of a copy makes a cut at the other end necessary, so
 * this repeats until no copy needs another cut. */
static bool make_cuts(struct kp_replay *r)
{
    int64_t *zero = kp_vector_add(&r->cuts, sizeof *zero);
    if (!zero)
        return false;
    *zero = 0;
    bool grown = r->unit > 1;
    while (grown) {
        grown = false;
        for (int round = -1; round < kp_schedule_rounds(r->schedule); round++) {
            for (int rank = 0; rank < r->problem->n; rank++) {
                if (!cut_round(r, rank, round, &grown))
                    return false;
            }
        }
    }
    return true;
}

/* --- State --- */

int64_t kp_replay_cells_of_block(const struct kp_replay *replay)
{
    return (int64_t)replay->cuts.count;
}

/* Returns the number of cells in a space of `units` units. Scratch may end within a block. Its last
 * block counts in full. */
static int64_t cells_in(const struct kp_replay *r, int64_t units)
{
    int64_t cells = units / r->unit * (int64_t)r->cuts.count;
    return cells + (units % r->unit ? (int64_t)r->cuts.count : 0);
}

/* --- Cells that lie in both buffers of the caller --- */

/* Returns whether a block lies in the caller's outgoing and incoming buffer at once. The answer is
 * no for blocks with lengths of their own, even in place: such a block must be moved to itself. The
 * reason is that the last write to a place shows whether a block stays there or only passes
 * through. */
static bool shares_block(const kp_problem *p)
{
    const struct kp_operation_row *row = kp_operation_row(p->operation);
    return row->one_buffer || (p->in_place && !row->copied_in_place && !row->lengths);
}

/* Returns the cell of the other buffer that is the same memory as `cell` of `rank`. Returns `cell`
 * itself if there is no such cell. */
static kp_cell same_memory(const struct kp_replay *r, int rank, kp_cell cell)
{
    const kp_problem *p = r->problem;
    const struct kp_operation_row *row = kp_operation_row(p->operation);
    bool concerned = rank == p->root || !kp_operation_has_root(p->operation);
    /* The first cell of the processor's own block, if the buffer has a block for every
     * processor. */
    kp_cell own = rank * (int64_t)r->cuts.count;
    if (!concerned || !shares_block(p) || cell < 0 || cell >= r->begin[KP_SCRATCH])
        return cell;
    if (row->out == KP_BLOCK_ONE && cell < r->begin[KP_IN])
        return r->begin[KP_IN] + (row->in == KP_BLOCK_EACH ? own : 0) + cell;
    if (row->in == KP_BLOCK_ONE && row->out == KP_BLOCK_EACH && cell >= r->begin[KP_IN])
        return own + cell - r->begin[KP_IN];
    return cell;
}

static uint64_t *slot(const struct kp_replay *r, int rank, kp_cell place)
{
    int64_t each = r->begin[KP_SPACES] - r->begin[KP_IN];
    return &r->held[rank * each + (place - r->begin[KP_IN])];
}

uint64_t kp_replay_symbol(const struct kp_replay *replay, int rank, kp_cell place)
{
    return 1 + (uint64_t)rank * (uint64_t)replay->begin[KP_IN] + (uint64_t)place;
}

void kp_replay_origin(const struct kp_replay *replay, uint64_t symbol, int *rank, kp_cell *place)
{
    *rank = (int)((symbol - 1) / (uint64_t)replay->begin[KP_IN]);
    *place = (kp_cell)((symbol - 1) % (uint64_t)replay->begin[KP_IN]);
}

void kp_replay_name_block(const struct kp_replay *replay, int rank, kp_cell cell,
                          char text[KP_BLOCK_NAME])
{
    kp_operation operation = replay->problem->operation;
    const char *what = kp_operation_reduces(operation) ? "operand" : "block";
    if (kp_operation_blocks(operation, KP_OUT) == KP_BLOCK_ONE)
        snprintf(text, KP_BLOCK_NAME, "the %s of processor %d", what, rank);
    else
        snprintf(text, KP_BLOCK_NAME, "the %s of processor %d for processor %lld", what, rank,
                 (long long)(cell / kp_replay_cells_of_block(replay)));
}

uint64_t kp_replay_held(const struct kp_replay *replay, int rank, kp_cell place)
{
    place = same_memory(replay, rank, place);
    if (place < replay->begin[KP_IN])
        return kp_operation_holds(replay->problem, rank, KP_OUT)
                   ? kp_replay_symbol(replay, rank, place)
                   : KP_NOTHING;
    return *slot(replay, rank, place);
}

/* Writes the symbols of the data that are in the incoming buffer already before the first round. */
static void fill_shared(struct kp_replay *r)
{
    for (int rank = 0; rank < r->problem->n; rank++) {
        for (kp_cell cell = 0; cell < r->begin[KP_IN]; cell++) {
            kp_cell place = same_memory(r, rank, cell);
            if (place != cell)
                *slot(r, rank, place) = kp_replay_symbol(r, rank, cell);
        }
    }
}

static int refuse_cells(const kp_problem *p, uint64_t cells)
{
    return kp_set_error(KP_EUNCHECKED,
                        "the schedule of algorithm %s is too large to be checked before it is "
                        "used: n is %d, and all processors together have %llu places; it is "
                        "checked if n is at most %d, or if there are at most %llu places "
                        "(kp_hints.trusted leaves the check out; kport check makes it)",
                        p->algorithm->name, p->n, (unsigned long long)cells, KP_BOUNDED_PROCESSORS,
                        (unsigned long long)KP_BOUNDED_CELLS);
}

int kp_replay_begin(struct kp_replay *replay, const kp_schedule *schedule, bool bounded)
{
    *replay = (struct kp_replay){.schedule = schedule,
                                 .problem = kp_schedule_problem(schedule),
                                 .unit = kp_schedule_unit_of_block(schedule)};
    if (!make_cuts(replay))
        return kp_set_error(KP_EMEMORY, "there is no memory to follow the schedule");
    for (int space = 0; space < KP_SPACES; space++)
        replay->begin[space + 1] =
            replay->begin[space] + cells_in(replay, kp_schedule_units(schedule, (kp_space)space));
    int n = replay->problem->n;
    uint64_t cells = kp_times((uint64_t)n, (uint64_t)replay->begin[KP_SPACES]);
    if (bounded && n > KP_BOUNDED_PROCESSORS && cells > KP_BOUNDED_CELLS)
        return refuse_cells(replay->problem, cells);
    int64_t each = replay->begin[KP_SPACES] - replay->begin[KP_IN];
    if (cells <= SIZE_MAX / sizeof *replay->held)
        replay->held = calloc((size_t)n * (size_t)each, sizeof *replay->held);
    if (!replay->held)
        return kp_set_error(KP_EMEMORY, "there is no memory to follow the schedule");
    kp_contributions_begin(&replay->contributions, replay->problem->n, replay->begin[KP_IN]);
    fill_shared(replay);
    return KP_OK;
}

void kp_replay_end(struct kp_replay *replay)
{
    free(replay->held);
    kp_vector_free(&replay->cuts);
    kp_vector_free(&replay->from);
    kp_vector_free(&replay->to);
    kp_vector_free(&replay->operand);
    kp_contributions_end(&replay->contributions);
}

/* --- Lists of cells --- */

static bool add_run(const struct kp_replay *r, int rank, kp_space space, int64_t position,
                    int64_t units, struct kp_vector *list)
{
    const int64_t *cuts = r->cuts.items;
    bool holds = kp_operation_holds(r->problem, rank, space);
    bool shares = shares_block(r->problem);
    while (units > 0) {
        int64_t place = kp_schedule_place(r->schedule, rank, space, position);
        int64_t length = 1;
        kp_cell *cell = kp_vector_add(list, sizeof *cell);
        if (!cell)
            return false;
        *cell = place < 0 || !holds ? KP_NOWHERE : r->begin[space] + place;
        if (r->unit > 1 && *cell != KP_NOWHERE) {
            size_t cut = cut_before(&r->cuts, place % r->unit);
            int64_t end = cut + 1 < r->cuts.count ? cuts[cut + 1] : r->unit;
            length = end - cuts[cut];
            *cell = r->begin[space] + place / r->unit * (int64_t)r->cuts.count + (int64_t)cut;
        }
        if (shares)
            *cell = same_memory(r, rank, *cell);
        position += length;
        units -= length;
    }
    return true;
}

bool kp_replay_cells(const struct kp_replay *replay, int rank, const kp_piece *pieces, int count,
                     struct kp_vector *list)
{
    list->count = 0;
    for (int i = 0; i < count; i++) {
        for (int64_t run = 0; run < pieces[i].count; run++) {
            if (!add_run(replay, rank, pieces[i].space, pieces[i].first + run * pieces[i].stride,
                         pieces[i].run, list))
                return false;
        }
    }
    return true;
}

struct kp_combined kp_replay_combine(struct kp_replay *replay, int from_rank, int to_rank,
                                     kp_combining side)
{
    const kp_cell *from = replay->from.items, *to = replay->to.items;
    const kp_cell *operand = replay->operand.items;
    struct kp_combined state = {.obstacle = KP_CLEAR};
    for (; state.at < replay->from.count; state.at++) {
        uint64_t comes = kp_replay_held(replay, from_rank, from[state.at]), result;
        uint64_t there = side ? kp_replay_held(replay, to_rank, operand[state.at]) : comes;
        state.obstacle = comes == KP_NOTHING   ? KP_NOTHING_SENT
                         : there == KP_NOTHING ? KP_NOTHING_THERE
                                               : KP_CLEAR;
        if (state.obstacle)
            return state;
        result = comes;
        if (side != KP_COPY)
            state.clash =
                kp_contributions_combine(&replay->contributions, side == KP_LEFT ? comes : there,
                                         side == KP_LEFT ? there : comes, &result, &state.member);
        if (state.clash) {
            state.obstacle = KP_CLASH;
            return state;
        }
        if (side != KP_COPY || from_rank != to_rank || from[state.at] != to[state.at])
            *slot(replay, to_rank, to[state.at]) = result;
    }
    return state;
}

/* --- A send and its receive --- */

int kp_replay_find_send(const kp_schedule *schedule, int rank, int round, int peer, int hint)
{
    int n = kp_schedule_problem(schedule)->n;
    int count = rank >= 0 && rank < n ? kp_schedule_sends(schedule, rank, round) : 0;
    for (int i = 0; i < count; i++) {
        int at = (hint + i) % count;
        if (kp_schedule_send(schedule, rank, round, at).peer == peer)
            return at;
    }
    return -1;
}

int kp_replay_find_receive(const kp_schedule *schedule, int rank, int round, int peer, int hint)
{
    int n = kp_schedule_problem(schedule)->n;
    int count = rank >= 0 && rank < n ? kp_schedule_receives(schedule, rank, round) : 0;
    for (int i = 0; i < count; i++) {
        int at = (hint + i) % count;
        if (kp_schedule_receive(schedule, rank, round, at).peer == peer)
            return at;
    }
    return -1;
}

/* --- A whole round --- */

static void watch(struct kp_replay *r, struct kp_watched watched)
{
    if (r->watch)
        r->watch(r, &watched);
}

bool kp_replay_receive(struct kp_replay *replay, int rank, int round, int i)
{
    struct kp_replay *r = replay;
    kp_message in = kp_schedule_receive(r->schedule, rank, round, i);
    int j = kp_replay_find_send(r->schedule, in.peer, round, rank, i);
    kp_message out = kp_schedule_send(r->schedule, in.peer, round, j);
    if (!kp_replay_cells(r, in.peer, out.pieces, out.piece_count, &r->from) ||
        !kp_replay_cells(r, rank, in.pieces, in.piece_count, &r->to) ||
        !kp_replay_cells(r, rank, in.operand, in.operand_count, &r->operand))
        return false;
    watch(r, (struct kp_watched){round, in.peer, rank, out.port, in.port, in.combining});
    kp_replay_combine(r, in.peer, rank, in.combining);
    return true;
}

bool kp_replay_move(struct kp_replay *replay, int rank, int round, int i)
{
    struct kp_replay *r = replay;
    kp_move move = kp_schedule_move(r->schedule, rank, round, i);
    if (!kp_replay_cells(r, rank, &move.from, 1, &r->from) ||
        !kp_replay_cells(r, rank, &move.to, 1, &r->to) ||
        !kp_replay_cells(r, rank, &move.to, 1, &r->operand))
        return false;
    watch(r, (struct kp_watched){round, rank, rank, -1, -1, move.combining});
    kp_replay_combine(r, rank, rank, move.combining);
    return true;
}

static bool replay_receives(struct kp_replay *r, int rank, int round)
{
    bool room = true;
    for (int i = 0; i < kp_schedule_receives(r->schedule, rank, round) && room; i++)
        room = kp_replay_receive(r, rank, round, i);
    return room;
}

static bool replay_moves(struct kp_replay *r, int rank, int round)
{
    bool room = true;
    for (int i = 0; i < kp_schedule_moves(r->schedule, rank, round) && room; i++)
        room = kp_replay_move(r, rank, round, i);
    return room;
}

int kp_replay_round(struct kp_replay *replay, int round)
{
    bool room = true;
    for (int rank = 0; rank < replay->problem->n && round >= 0 && room; rank++)
        room = replay_receives(replay, rank, round);
    for (int rank = 0; rank < replay->problem->n && room; rank++)
        room = replay_moves(replay, rank, round);
    return room ? KP_OK : kp_set_error(KP_EMEMORY, "there is no memory to follow the schedule");
}
