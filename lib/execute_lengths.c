/* Rounds, messages, pieces, and blocks of any length; it knows no algorithm.
 *
 * A block that has come to the place where it stays goes straight to the caller's memory: the
 * schedule says in which round a place is written last. One that passes through is kept in memory
 * of the seat, because the place it rests in may belong to a shorter one.
 *
 * The first moves of a schedule, those before anything is sent, are made in the table alone; what
 * they bring into the caller's memory is copied after the first pass. So a call that some member
 * refuses has moved nothing at all. */
#include "lib/execute_lengths.h"

#include "lib/call.h"
#include "lib/copy.h"
#include "lib/plan.h"
#include "lib/traced.h"

#include <stdlib.h>
#include <string.h>

/* --- What a seat keeps --- */

void kp_lengths_free(struct kp_lengths *lengths)
{
    if (!lengths)
        return;
    for (int space = 0; space < KP_SPACES; space++)
        free(lengths->table.blocks[space]);
    free(lengths->homes);
    free(lengths->ranges);
    kp_arena_free(&lengths->arena);
    free(lengths);
}

void *kp_lengths_room(void *items, size_t *capacity, size_t count, size_t size)
{
    if (items && count <= *capacity)
        return items;
    void *more = malloc((count > 0 ? count : 1) * size);
    if (!more)
        return NULL;
    free(items);
    *capacity = count;
    return more;
}

bool kp_lengths_make(struct kp_lengths *lengths, kp_space space, size_t places)
{
    struct kp_block **blocks = &lengths->table.blocks[space];
    struct kp_block *made =
        kp_lengths_room(*blocks, &lengths->capacity[space], places, sizeof **blocks);
    struct kp_home *homes = lengths->homes;
    if (made)
        *blocks = made;
    if (space == KP_IN &&
        (homes = kp_lengths_room(homes, &lengths->home_capacity, places, sizeof *homes)) != NULL)
        lengths->homes = homes;
    if (!made || (space == KP_IN && !homes))
        return false;
    lengths->places[space] = places;
    memset(made, 0, places * sizeof *made);
    return true;
}

/* --- One call of one processor --- */

struct course {
    kp_group *seat;
    struct kp_lengths *own;
    const struct kp_lowering *lowering;
    const struct kp_schedule *schedule;
    const int32_t *last_write; /* of the own part */
    int root, rank;            /* the rank is counted from the root */
    struct kp_block lost;      /* one for this processor that did not come, or that it lost */
};

static int real_rank(const struct course *c, int rank)
{
    int to_end = c->schedule->problem.n - c->root;
    return rank < to_end ? rank + c->root : rank - to_end;
}

/* The place that a position means at a processor, whose rank is counted from the root. */
static int64_t place_of(const struct course *c, int rank, kp_space space, int64_t position)
{
    const struct kp_schedule *s = c->schedule;
    if (!s->per_processor[space])
        return position;
    if (c->lowering->digits[space])
        return real_rank(c, kp_schedule_peer(s, rank, (int)position));
    int64_t shift = s->symmetry == KP_CYCLIC ? real_rank(c, rank) : c->root;
    int64_t place = position + shift;
    return place >= s->units[space] ? place - s->units[space] : place;
}

/* --- A list of pieces, block by block --- */

struct walk {
    const struct course *course;
    const kp_piece *piece, *end;
    int64_t runs;  /* of the current piece, the one in hand included */
    int64_t first; /* of the run in hand */
    int64_t done;  /* blocks of it */
    kp_space space;
    int64_t position; /* of the block in hand */
};

static int64_t wrapped(const struct course *c, kp_space space, int64_t position)
{
    int64_t size = c->lowering->size[space];
    return position >= size ? position - size : position;
}

static void enter_piece(struct walk *w)
{
    w->runs = w->piece->count;
    w->first = w->piece->first;
    w->done = 0;
}

static struct walk walk_of(const struct course *c, const kp_piece *pieces, size_t count)
{
    struct walk w = {.course = c, .piece = pieces, .end = pieces + count};
    if (count > 0)
        enter_piece(&w);
    return w;
}

/* Takes the next block in hand. False past the end. */
static bool next_block(struct walk *w)
{
    while (w->piece != w->end) {
        if (w->done < w->piece->run) {
            w->space = w->piece->space;
            w->position = wrapped(w->course, w->space, w->first + w->done++);
            return true;
        }
        w->first = wrapped(w->course, w->piece->space, w->first + w->piece->stride);
        w->done = 0;
        if (--w->runs == 0 && ++w->piece != w->end)
            enter_piece(w);
    }
    return false;
}

/* The block in hand, in the table of the processor with that rank, counted from the root. */
static struct kp_block *block_in(const struct walk *w, const struct kp_block_table *table, int rank)
{
    return &table->blocks[w->space][place_of(w->course, rank, w->space, w->position)];
}

/* --- Blocks --- */

/* Where the block in hand is to stay, if this is the round in which it comes to stay. */
static char *home_of(const struct walk *w, int round)
{
    const struct course *c = w->course;
    if (w->space != KP_IN || c->last_write[w->position] != round)
        return NULL;
    return c->own->homes[place_of(c, c->rank, KP_IN, w->position)].data;
}

static void copy(char *to, const char *from, size_t bytes)
{
    if (bytes > 0 && to != from)
        kp_copy_long(to, from, bytes);
}

/* Memory for a block that passes through the place. */
static char *make_room(struct course *c, struct kp_block *place, size_t bytes)
{
    if (place->room < bytes) {
        char *memory = kp_arena_take(&c->own->arena, bytes);
        if (!memory)
            return NULL;
        place->memory = memory;
        place->room = bytes;
    }
    return place->memory;
}

/* Puts a block into a place: the length first, then the contents. One that cannot be kept is lost
 * on its way; those it passes on say so, up to the one that it is for. */
static void take_block(struct course *c, struct kp_block *to, const struct kp_block *from,
                       char *home)
{
    to->bytes = from->bytes;
    to->lost_at = from->lost_at;
    to->data = home ? home : to->lost_at || to->bytes == 0 ? NULL : make_room(c, to, to->bytes);
    if (!to->lost_at && to->bytes > 0 && !to->data) {
        to->lost_at = 1 + kp_port_processor(c->seat, kp_port_rank(c->seat));
        c->lost = *to;
    }
    if (!to->lost_at)
        copy(to->data, from->data, to->bytes);
    else if (home)
        c->lost = *to;
}

/* --- Rounds --- */

/* A move before the first round: in the table alone. */
static void point_moves(struct course *c)
{
    const struct stored_round *r = kp_schedule_round(c->schedule, c->rank, -1);
    for (uint32_t i = r[0].move; i < r[1].move; i++) {
        const kp_move *move = &c->schedule->moves[i];
        struct walk to = walk_of(c, &move->to, 1), from = walk_of(c, &move->from, 1);
        while (next_block(&to) && next_block(&from)) {
            struct kp_block *target = block_in(&to, &c->own->table, c->rank);
            const struct kp_block *source = block_in(&from, &c->own->table, c->rank);
            target->data = source->data;
            target->bytes = source->bytes;
        }
    }
}

/* What these moves bring to stay. The table still points to where it came from, for others are
 * reading it. */
static void settle_moves(const struct course *c)
{
    const struct stored_round *r = kp_schedule_round(c->schedule, c->rank, -1);
    for (uint32_t i = r[0].move; i < r[1].move; i++) {
        struct walk to = walk_of(c, &c->schedule->moves[i].to, 1);
        while (next_block(&to)) {
            const struct kp_block *block = block_in(&to, &c->own->table, c->rank);
            char *home = home_of(&to, -1);
            if (home)
                copy(home, block->data, block->bytes);
        }
    }
}

static void make_moves(struct course *c, int round)
{
    const struct stored_round *r = kp_schedule_round(c->schedule, c->rank, round);
    for (uint32_t i = r[0].move; i < r[1].move; i++) {
        const kp_move *move = &c->schedule->moves[i];
        struct walk to = walk_of(c, &move->to, 1), from = walk_of(c, &move->from, 1);
        while (next_block(&to) && next_block(&from))
            take_block(c, block_in(&to, &c->own->table, c->rank),
                       block_in(&from, &c->own->table, c->rank), home_of(&to, round));
    }
}

static int peer_of(const struct course *c, const struct stored_message *m)
{
    return kp_schedule_peer(c->schedule, c->rank, m->peer);
}

/* Returns the message's length, with the lengths that travel in it. */
static uint64_t take_message(struct course *c, const struct stored_message *m, int round)
{
    const struct kp_schedule *s = c->schedule;
    const struct stored_message *sent = &s->sends[m->match];
    int peer = peer_of(c, m);
    const struct kp_block_table *table =
        (const void *)kp_port_base_of(c->seat, real_rank(c, peer), KP_SHOWN_TABLE);
    struct walk to = walk_of(c, s->pieces + m->first_piece, m->piece_count);
    struct walk from = walk_of(c, s->pieces + sent->first_piece, sent->piece_count);
    uint64_t bytes = 0;
    while (next_block(&to) && next_block(&from)) {
        const struct kp_block *block = block_in(&from, table, peer);
        bytes += block->bytes + (uint64_t)s->problem.algorithm->length_bytes;
        take_block(c, block_in(&to, &c->own->table, c->rank), block, home_of(&to, round));
    }
    return bytes;
}

static uint64_t length_of_send(const struct course *c, const struct stored_message *m)
{
    const struct kp_schedule *s = c->schedule;
    struct walk from = walk_of(c, s->pieces + m->first_piece, m->piece_count);
    uint64_t bytes = 0;
    while (next_block(&from))
        bytes += block_in(&from, &c->own->table, c->rank)->bytes +
                 (uint64_t)s->problem.algorithm->length_bytes;
    return bytes;
}

static void take_and_trace(struct course *c, const struct stored_message *m, int round)
{
    uint64_t bytes = take_message(c, m, round);
    if (kp_pass_is_traced(c->seat))
        kp_trace_message(c->seat, KP_TRACE_TAKEN, round, c->schedule->sends[m->match].port,
                         real_rank(c, peer_of(c, m)), bytes);
}

/* Lengths stand in no schedule. What was sent has not changed: others may be reading it. */
static void trace_round(const struct course *c, const struct stored_round *r, int round)
{
    for (uint32_t i = r[0].send; i < r[1].send; i++) {
        const struct stored_message *m = &c->schedule->sends[i];
        kp_trace_message(c->seat, KP_TRACE_SENT, round, m->port, real_rank(c, peer_of(c, m)),
                         length_of_send(c, m));
    }
    kp_trace_round(c->seat, KP_TRACE_ROUND, round, KP_TRACE_EXPLICIT);
}

/* Adds the longest message of the round to `c2`. */
static int one_round(struct course *c, int round, uint64_t *c2)
{
    const struct kp_schedule *s = c->schedule;
    const struct stored_round *r = kp_schedule_round(s, c->rank, round);
    uint64_t longest = 0;
    for (uint32_t i = r[0].send; i < r[1].send; i++) {
        uint64_t bytes = length_of_send(c, &s->sends[i]);
        longest = bytes > longest ? bytes : longest;
    }
    kp_port_offer_longest(c->seat, longest);
    if (r[0].send < r[1].send && round == s->rounds - 1)
        kp_port_expose(c->seat);
    int status = kp_port_pass(c->seat, round);
    if (kp_pass_is_traced(c->seat))
        kp_trace_passed(c->seat);
    if (status)
        return kp_pass_is_traced(c->seat) ? kp_trace_failed(c->seat, KP_TRACE_ROUND, round, status)
                                          : status;
    if (round == 0)
        settle_moves(c);
    kp_port_longest(c->seat, &longest);
    for (uint32_t i = r[0].receive; i < r[1].receive; i++)
        take_and_trace(c, &s->receives[i], round);
    make_moves(c, round);
    if (kp_pass_is_traced(c->seat))
        trace_round(c, r, round);
    *c2 += longest;
    return KP_OK;
}

static int refuse_lost(const struct course *c)
{
    return kp_port_error_about(c->seat, KP_EMEMORY, c->lost.lost_at - 1,
                               "a block of %zu bytes was lost on its way: processor %d had no "
                               "memory for it",
                               c->lost.bytes, c->lost.lost_at - 1);
}

static struct course begin(kp_group *seat, struct kp_prepared *call, struct kp_lengths *own)
{
    const struct kp_schedule *s = call->plan->schedule;
    int n = s->problem.n, root = call->problem.root, rank = kp_port_rank(seat);
    struct course c = {.seat = seat,
                       .own = own,
                       .lowering = &call->lowering,
                       .schedule = s,
                       .root = root,
                       .rank = rank >= root ? rank - root : rank - root + n};
    /* Places of a buffer that this processor does not have are not looked up. */
    size_t part = s->parts == 1 || own->places[KP_IN] == 0 ? 0 : (size_t)c.rank;
    c.last_write = s->last_write + part * (size_t)s->units[KP_IN];
    return c;
}

int kp_execute_lengths(kp_group *seat, struct kp_prepared *call, struct kp_lengths *own,
                       void (*describe)(const void *subject, char *text, size_t size),
                       const void *subject)
{
    struct course c = begin(seat, call, own);
    uint64_t c2 = 0;
    kp_port_open(seat, kp_call_fingerprint(call->fingerprint, c.root, 0), describe, subject);
    if (kp_pass_is_traced(seat))
        kp_traced_open(seat, call);
    point_moves(&c);
    if (c.schedule->rounds == 0)
        settle_moves(&c);
    for (int round = 0; round < c.schedule->rounds; round++) {
        int status = one_round(&c, round, &c2);
        if (status)
            return status;
    }
    kp_port_count(seat, call->c1, c2);
    int status = kp_port_close(seat);
    if (c.lost.lost_at && (!status || status == KP_EUNTAKEN))
        status = refuse_lost(&c);
    kp_arena_reset(&own->arena);
    return status;
}

/* --- Padded --- */

int kp_execute_padded(kp_group *seat, struct kp_prepared *call, struct kp_lengths *own,
                      void (*describe)(const void *subject, char *text, size_t size),
                      const void *subject)
{
    size_t n = (size_t)kp_port_size(seat), b = call->problem.b;
    size_t scratch_bytes = (size_t)call->plan->schedule->units[KP_SCRATCH] * b;
    char *out = kp_plan_scratch(seat, 2 * n * b + scratch_bytes), *in = out + n * b;
    if (!out) {
        kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for %zu blocks padded to %zu bytes",
                      2 * n, b);
        return kp_port_refuse(seat, describe, subject);
    }
    for (size_t i = 0; i < n; i++)
        copy(out + i * b, own->table.blocks[KP_OUT][i].data, own->table.blocks[KP_OUT][i].bytes);
    int status = kp_execute(seat, call, out, in, in + n * b);
    kp_arena_reset(&own->arena);
    for (size_t i = 0; i < n && (!status || status == KP_EUNTAKEN); i++)
        copy(own->homes[i].data, in + i * b, own->homes[i].bytes);
    return status;
}
