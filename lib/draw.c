/* What pictures of schedules show: the rounds, and the memory configurations of Bruck et al. 1997,
 * Figs. 2, 3 and 9: a column a processor, a row a place. */
#include "lib/draw.h"

#include "kport/model.h"
#include "lib/operation.h"
#include "lib/replay.h"

#include <stdarg.h>
#include <string.h>

struct drawing {
    const struct kp_pen *pen;
    const kp_schedule *schedule;
    const kp_problem *problem;
    struct kp_replay replay;
    struct kp_vector *sent; /* by processor: kp_cell, what it sends in the next round */
};

/* --- Small helpers around the pen --- */

static void line(const struct drawing *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void line(const struct drawing *d, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    d->pen->line(d->pen->to, text);
}

static void word(const struct drawing *d, const char *text)
{
    d->pen->cell(d->pen->to, text, false);
}

static void number(const struct drawing *d, long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", value);
    word(d, text);
}

static void end_row(const struct drawing *d)
{
    d->pen->end_row(d->pen->to);
}

/* --- The rounds --- */

/* Who the receiver is: its number, or how it follows from the sender i. */
static void receiver(const struct drawing *d, const kp_message *m)
{
    static const char *const forms[] = {[KP_NO_SYMMETRY] = "%d",
                                        [KP_CYCLIC] = "i + %d",
                                        [KP_DIGITS] = "i (+) %d",
                                        [KP_XOR] = "i xor %d"};
    char text[32];
    snprintf(text, sizeof text, forms[d->problem->algorithm->symmetry], m->peer);
    word(d, text);
}

/* With the length that travels with a block, as in C2. */
static int64_t bytes_of_unit(const struct drawing *d)
{
    return (int64_t)d->problem->b / kp_schedule_unit_of_block(d->schedule) +
           d->problem->algorithm->length_bytes;
}

static void draw_sends(const struct drawing *d, int rank, int round)
{
    bool split = kp_schedule_unit_of_block(d->schedule) > 1;
    for (int i = 0; i < kp_schedule_sends(d->schedule, rank, round); i++) {
        kp_message m = kp_schedule_send(d->schedule, rank, round, i);
        number(d, round);
        number(d, m.port);
        if (d->problem->algorithm->symmetry == KP_NO_SYMMETRY)
            number(d, rank);
        else
            word(d, "i");
        receiver(d, &m);
        if (!split)
            number(d, m.units);
        number(d, m.units * bytes_of_unit(d));
        end_row(d);
    }
}

static void explain_symmetry(const struct drawing *d)
{
    if (d->problem->algorithm->symmetry == KP_CYCLIC)
        line(d, "i is every processor; sums are modulo %d", d->problem->n);
    if (d->problem->algorithm->symmetry == KP_DIGITS)
        line(d, "i is every processor; (+) adds the digits in radix %d, without carries",
             d->problem->k + 1);
    if (d->problem->algorithm->symmetry == KP_XOR)
        line(d, "i is every processor; xor is bit by bit");
}

static void draw_rounds(const struct drawing *d)
{
    static const char *const headings[] = {"round", "port", "from", "to", "blocks", "bytes"};
    bool split = kp_schedule_unit_of_block(d->schedule) > 1;
    int parts = d->problem->algorithm->symmetry == KP_NO_SYMMETRY ? d->problem->n : 1;
    d->pen->begin_grid(d->pen->to);
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        if (!split || i != 4)
            word(d, headings[i]);
    }
    end_row(d);
    for (int round = 0; round < kp_schedule_rounds(d->schedule); round++) {
        for (int rank = 0; rank < parts; rank++)
            draw_sends(d, rank, round);
    }
    d->pen->end_grid(d->pen->to);
    explain_symmetry(d);
}

static void draw_head(const struct drawing *d)
{
    char text[256];
    kp_problem_format(d->problem, text, sizeof text);
    kp_cost cost = kp_schedule_cost(d->schedule, d->problem->b);
    line(d, "%s", text);
    line(d, "C1 = %llu rounds, C2 = %llu bytes; %llu messages, %llu bytes in all",
         (unsigned long long)cost.c1, (unsigned long long)cost.c2,
         (unsigned long long)cost.messages, (unsigned long long)cost.bytes);
}

/* --- Memory --- */

/* Places of a space that are drawn, in blocks. Of scratch no more than of the other spaces: what
 * lies beyond are packing areas. */
static int64_t drawn_blocks(const struct drawing *d, kp_space space)
{
    int64_t cells = kp_replay_cells_of_block(&d->replay);
    int64_t blocks = (d->replay.begin[space + 1] - d->replay.begin[space]) / cells;
    return blocks < d->problem->n ? blocks : d->problem->n;
}

/* Whether a cell is sent in the next round; for something sent from a place that is not drawn, the
 * copy of it that is. */
static bool is_sent(const struct drawing *d, int rank, kp_cell cell)
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

/* The processors whose operands were combined: "2", "0-3", or "0+2+3". */
static void name_operands(const struct drawing *d, uint64_t symbol, char *text, size_t size)
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

static void name_block(const struct drawing *d, uint64_t symbol, char *text, size_t size)
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

/* One block's place at one processor: ".", "03", or "03~" where only a part is there. */
static void draw_block(const struct drawing *d, int rank, kp_cell first)
{
    int64_t cells = kp_replay_cells_of_block(&d->replay);
    char text[40] = ".";
    bool marked = false, whole = true, some = false;
    for (int64_t i = 0; i < cells; i++) {
        uint64_t symbol = kp_replay_held(&d->replay, rank, first + i);
        marked |= is_sent(d, rank, first + i);
        whole &= symbol != KP_NOTHING;
        if (symbol != KP_NOTHING && !some)
            name_block(d, symbol, text, sizeof text - 2);
        some |= symbol != KP_NOTHING;
    }
    if (some && !whole)
        snprintf(text + strlen(text), 2, "~");
    d->pen->cell(d->pen->to, text, marked);
}

static bool worth_drawing(const struct drawing *d, kp_space space, bool first)
{
    const struct kp_replay *r = &d->replay;
    int64_t cells = drawn_blocks(d, space) * kp_replay_cells_of_block(r);
    for (int rank = 0; rank < d->problem->n; rank++) {
        for (int64_t i = 0; i < cells; i++) {
            kp_cell cell = r->begin[space] + i;
            /* The outgoing buffer stays as it is: once is enough, or when it is sent from. */
            if (space == KP_OUT ? first || is_sent(d, rank, cell)
                                : kp_replay_held(r, rank, cell) != KP_NOTHING)
                return true;
        }
    }
    return false;
}

static void draw_space(const struct drawing *d, kp_space space)
{
    static const char *const names[KP_SPACES] = {"out", "in", "scratch"};
    char heading[16];
    d->pen->begin_grid(d->pen->to);
    word(d, names[space]);
    for (int rank = 0; rank < d->problem->n; rank++) {
        snprintf(heading, sizeof heading, "p%d", rank);
        word(d, heading);
    }
    end_row(d);
    for (int64_t block = 0; block < drawn_blocks(d, space); block++) {
        number(d, block);
        for (int rank = 0; rank < d->problem->n; rank++)
            draw_block(d, rank,
                       d->replay.begin[space] + block * kp_replay_cells_of_block(&d->replay));
        end_row(d);
    }
    d->pen->end_grid(d->pen->to);
}

/* Notes what everybody sends in a round; nothing if there is none. */
static bool look_ahead(struct drawing *d, int round)
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

/* The state after a round; round -2: before everything. */
static int draw_state(struct drawing *d, int round)
{
    static const kp_space order[] = {KP_OUT, KP_SCRATCH, KP_IN};
    if (!look_ahead(d, round + 1))
        return KP_EMEMORY;
    d->pen->line(d->pen->to, "");
    if (round == -2)
        line(d, "before");
    else if (round == -1)
        line(d, "after the local moves at the beginning");
    else
        line(d, "after round %d", round);
    for (int i = 0; i < KP_SPACES; i++) {
        if (worth_drawing(d, order[i], round == -2))
            draw_space(d, order[i]);
    }
    return KP_OK;
}

static int draw_memory(struct drawing *d)
{
    struct kp_vector sent[KP_DRAW_MEMORY_N] = {{.items = NULL}};
    d->sent = sent;
    int status = kp_replay_begin(&d->replay, d->schedule);
    for (int round = -2; round < kp_schedule_rounds(d->schedule) && !status; round++) {
        if (round >= -1)
            status = kp_replay_round(&d->replay, round);
        if (!status)
            status = draw_state(d, round);
    }
    if (!status && kp_schedule_rounds(d->schedule) > 0) {
        d->pen->line(d->pen->to, "");
        line(d, "* is sent in the next round%s",
             kp_schedule_unit_of_block(d->schedule) > 1 ? "; ~ a part of the block" : "");
    }
    kp_replay_end(&d->replay);
    for (int rank = 0; rank < KP_DRAW_MEMORY_N; rank++)
        kp_vector_free(&sent[rank]);
    return status;
}

int kp_draw(const kp_schedule *schedule, const struct kp_pen *pen)
{
    struct drawing d = {.pen = pen, .schedule = schedule, .problem = kp_schedule_problem(schedule)};
    draw_head(&d);
    if (kp_schedule_rounds(schedule) > 0) {
        d.pen->line(d.pen->to, "");
        draw_rounds(&d);
    }
    return d.problem->n <= KP_DRAW_MEMORY_N ? draw_memory(&d) : KP_OK;
}
