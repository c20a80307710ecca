/* Draws the memory of all processors before the first round and after each round, as in Bruck et
 * al. 1997, Figs. 2, 3 and 9. The table has a column for each processor and a row for each block of
 * memory. */
#include "lib/draw/drawing.h"

#include "lib/problem/operation.h"

#include <string.h>

/* Returns the number of blocks of a space that are drawn. Of scratch only the first n blocks are
 * drawn, because algorithms pack messages in the rest. */
static int64_t drawn_blocks(const struct kp_drawing *d, kp_space space)
{
    int64_t cells = kp_replay_cells_of_block(&d->replay);
    int64_t blocks = (d->replay.begin[space + 1] - d->replay.begin[space]) / cells;
    return blocks < d->problem->n ? blocks : d->problem->n;
}

/* Returns whether the cell is marked as sent in the next round. A message may be sent from scratch
 * that is not drawn. Then the drawn scratch cells with the same contents are marked instead. */
static bool is_sent(const struct kp_drawing *d, int rank, kp_cell cell)
{
    const struct kp_replay *r = &d->replay;
    kp_cell drawn_end =
        r->begin[KP_SCRATCH] + drawn_blocks(d, KP_SCRATCH) * kp_replay_cells_of_block(r);
    uint64_t symbol = kp_replay_held(r, rank, cell);
    const kp_cell *sent = d->sent[rank].items;
    for (size_t i = 0; i < d->sent[rank].count; i++) {
        if (sent[i] == cell)
            return true;
        if (cell >= r->begin[KP_SCRATCH] && sent[i] >= drawn_end && symbol != KP_NOTHING &&
            kp_replay_held(r, rank, sent[i]) == symbol)
            return true;
    }
    return false;
}

/* Returns whether the cell is the wrong place, in the last state that is drawn. */
static bool is_wrong(const struct kp_drawing *d, int rank, kp_cell cell)
{
    return d->mark && d->is_last && rank == d->mark->place_rank && cell == d->mark->place;
}

/* Writes the ranks of the processors whose operands were combined: "2", "0-3", or "0+2+3". */
static void name_operands(const struct kp_drawing *d, uint64_t symbol, char *text, size_t size)
{
    struct kp_contribution sum = kp_contribution_of(&d->replay.contributions, symbol);
    long long block = sum.cell / kp_replay_cells_of_block(&d->replay);
    size_t used = 0;
    if (sum.count == sum.end - sum.first)
        used = (size_t)snprintf(text, size, sum.count > 1 ? "%d-%d" : "%d", sum.first, sum.end - 1);
    for (int rank = sum.first; rank < sum.end && sum.count < sum.end - sum.first; rank++) {
        if (kp_contribution_has(&d->replay.contributions, symbol, rank) && used < size)
            used += (size_t)snprintf(text + used, size - used, used ? "+%d" : "%d", rank);
    }
    if (kp_operation_blocks(d->problem->operation, KP_OUT) == KP_BLOCK_EACH && used < size)
        snprintf(text + used, size - used, ".%lld", block);
}

static void name_block(const struct kp_drawing *d, uint64_t symbol, char *text, size_t size)
{
    int owner;
    if (kp_operation_reduces(d->problem->operation)) {
        name_operands(d, symbol, text, size);
        return;
    }
    kp_cell cell;
    kp_replay_origin(&d->replay, symbol, &owner, &cell);
    int block = (int)(cell / kp_replay_cells_of_block(&d->replay));
    if (kp_operation_blocks(d->problem->operation, KP_OUT) == KP_BLOCK_ONE)
        snprintf(text, size, "%d", owner);
    else
        snprintf(text, size, d->problem->n <= 10 ? "%d%d" : "%d.%d", owner, block);
}

/* Draws the contents of one block of memory: "." if it is empty, a name such as "03" if it is full,
 * "03~" if only a part of the block has arrived. */
static void draw_block(const struct kp_drawing *d, int rank, kp_cell first)
{
    int64_t cells = kp_replay_cells_of_block(&d->replay);
    char text[40] = "";
    bool whole = true, some = false;
    unsigned marks = 0;
    for (int64_t i = 0; i < cells; i++) {
        uint64_t symbol = kp_replay_held(&d->replay, rank, first + i);
        marks |= is_sent(d, rank, first + i) ? KP_CELL_SENT : 0;
        marks |= is_wrong(d, rank, first + i) ? KP_CELL_WRONG : 0;
        whole &= symbol != KP_NOTHING;
        if (symbol != KP_NOTHING && !some)
            name_block(d, symbol, text, sizeof text - 2);
        some |= symbol != KP_NOTHING;
    }
    if (some && !whole)
        snprintf(text + strlen(text), 2, "~");
    d->pen->cell(d->pen->to, text, marks);
}

static bool worth_drawing(const struct kp_drawing *d, kp_space space, bool first)
{
    const struct kp_replay *r = &d->replay;
    int64_t cells = drawn_blocks(d, space) * kp_replay_cells_of_block(r);
    for (int rank = 0; rank < d->problem->n; rank++) {
        for (int64_t i = 0; i < cells; i++) {
            kp_cell cell = r->begin[space] + i;
            /* The outgoing buffer never changes. So it is drawn at the beginning, and again only
             * before a round that sends from it. */
            if (is_wrong(d, rank, cell))
                return true;
            if (space == KP_OUT ? first || is_sent(d, rank, cell)
                                : kp_replay_held(r, rank, cell) != KP_NOTHING)
                return true;
        }
    }
    return false;
}

static void draw_space(const struct kp_drawing *d, kp_space space)
{
    static const char *const names[KP_SPACES] = {"out", "in", "scratch"};
    char heading[16];
    d->pen->begin_grid(d->pen->to);
    kp_draw_word(d, names[space]);
    for (int rank = 0; rank < d->problem->n; rank++) {
        snprintf(heading, sizeof heading, "p%d", rank);
        kp_draw_word(d, heading);
    }
    kp_draw_end_row(d);
    for (int64_t block = 0; block < drawn_blocks(d, space); block++) {
        kp_draw_number(d, block);
        for (int rank = 0; rank < d->problem->n; rank++)
            draw_block(d, rank,
                       d->replay.begin[space] + block * kp_replay_cells_of_block(&d->replay));
        kp_draw_end_row(d);
    }
    d->pen->end_grid(d->pen->to);
}

/* Writes to `sent` the cells that every processor sends in the round. `sent` becomes empty if there
 * is no such round. Returns false if there is no memory. */
static bool look_ahead(struct kp_drawing *d, int round)
{
    struct kp_vector list = {.items = NULL};
    bool room = true;
    for (int rank = 0; rank < d->problem->n && room; rank++) {
        d->sent[rank].count = 0;
        int count = round >= 0 && round < kp_schedule_rounds(d->schedule)
                        ? kp_schedule_sends(d->schedule, rank, round)
                        : 0;
        for (int i = 0; i < count && room; i++) {
            kp_message m = kp_schedule_send(d->schedule, rank, round, i);
            room = kp_replay_cells(&d->replay, rank, m.pieces, m.piece_count, &list);
            for (size_t j = 0; j < list.count && room; j++) {
                kp_cell *cell = kp_vector_add(&d->sent[rank], sizeof *cell);
                room = cell != NULL;
                if (room)
                    *cell = ((kp_cell *)list.items)[j];
            }
        }
    }
    kp_vector_free(&list);
    return room;
}

/* Draws the memory after a round. Round -1 stands for the local moves before round 0, and round -2
 * for the state before these moves. */
static int draw_state(struct kp_drawing *d, int round)
{
    static const kp_space order[] = {KP_OUT, KP_SCRATCH, KP_IN};
    static const char *const beginnings[] = {"before", "after the local moves at the beginning"};
    char title[32];
    if (!look_ahead(d, round + 1))
        return KP_EMEMORY;
    snprintf(title, sizeof title, "after round %d", round);
    d->pen->section(d->pen->to, round < 0 ? beginnings[round + 2] : title);
    for (int i = 0; i < KP_SPACES; i++) {
        if (worth_drawing(d, order[i], round == -2))
            draw_space(d, order[i]);
    }
    return KP_OK;
}

int kp_draw_memory(struct kp_drawing *d)
{
    struct kp_vector sent[KP_DRAW_MEMORY_N] = {{.items = NULL}};
    d->sent = sent;
    int status = kp_replay_begin(&d->replay, d->schedule, false);
    /* A wrong round is not carried out. */
    int rounds = d->mark && d->mark->rounds < d->rounds ? d->mark->rounds : d->rounds;
    for (int round = -2; round < rounds && !status; round++) {
        if (round >= -1)
            status = kp_replay_round(&d->replay, round);
        d->is_last = round == rounds - 1;
        if (!status)
            status = draw_state(d, round);
    }
    if (!status && d->rounds > 0) {
        d->pen->section(d->pen->to, "");
        kp_draw_line(d, "%s is sent in the next round%s", d->pen->marked,
                     kp_schedule_unit_of_block(d->schedule) > 1 ? "; ~ a part of the block" : "");
        if (d->mark && d->mark->place >= 0)
            kp_draw_line(d, "red: the place that is wrong, at processor %d", d->mark->place_rank);
        kp_draw_tell_rounds(d);
    }
    kp_replay_end(&d->replay);
    for (int rank = 0; rank < KP_DRAW_MEMORY_N; rank++)
        kp_vector_free(&sent[rank]);
    return status;
}
