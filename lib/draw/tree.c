/* Follows the data of one processor, the root. The picture shows every message that carries some of
 * the root's data, with the number of bytes of these data. If a block goes to all processors, these
 * messages form the spanning trees of Bruck et al. 1997, Figs. 7 and 8. */
#include "lib/draw/drawing.h"

#include "lib/problem/operation.h"

struct tree {
    struct kp_drawing *drawing;
    int root;
    struct kp_vector cells; /* the cells of one message (kp_cell) */
    struct kp_vector edges; /* the messages with the root's data (struct kp_arrow) */
};

static int64_t units_of(const struct kp_replay *r, kp_cell cell)
{
    const int64_t *cuts = r->cuts.items;
    size_t at = (size_t)cell % r->cuts.count;
    return (at + 1 < r->cuts.count ? cuts[at + 1] : r->unit) - cuts[at];
}

/* Returns whether the symbol stands for data of the root. In a reduction this means that the root's
 * operand is among the combined operands. */
static bool is_roots(const struct tree *t, uint64_t symbol)
{
    const struct kp_replay *r = &t->drawing->replay;
    int owner;
    kp_cell place;
    if (kp_operation_reduces(r->problem->operation))
        return kp_contribution_has(&r->contributions, symbol, t->root);
    kp_replay_origin(r, symbol, &owner, &place);
    return owner == t->root;
}

/* Returns the number of units of the root's data in a message. `rank` sends the message, and
 * `cells` has its cells. */
static int64_t roots_bytes(const struct tree *t, int rank)
{
    const struct kp_replay *r = &t->drawing->replay;
    const kp_cell *cells = t->cells.items;
    int64_t units = 0;
    for (size_t i = 0; i < t->cells.count; i++) {
        if (is_roots(t, kp_replay_held(r, rank, cells[i])))
            units += units_of(r, cells[i]);
    }
    return units;
}

static bool add_edges(struct tree *t, int rank, int round)
{
    const struct kp_drawing *d = t->drawing;
    int64_t unit = kp_draw_bytes_of_block(d) / kp_schedule_unit_of_block(d->schedule);
    for (int i = 0; i < kp_schedule_sends(d->schedule, rank, round); i++) {
        kp_message m = kp_schedule_send(d->schedule, rank, round, i);
        if (!kp_replay_cells(&d->replay, rank, m.pieces, m.piece_count, &t->cells))
            return false;
        int64_t units = roots_bytes(t, rank);
        struct kp_arrow *edge = units > 0 ? kp_vector_add(&t->edges, sizeof *edge) : NULL;
        if (units > 0 && !edge)
            return false;
        if (edge)
            *edge = (struct kp_arrow){round, m.port, rank, m.peer, units * unit};
    }
    return true;
}

/* Looks at the messages of each round before it replays the round, because at that time the
 * senders' cells still have the contents that they send. */
static int follow(struct tree *t)
{
    struct kp_drawing *d = t->drawing;
    int status = kp_replay_begin(&d->replay, d->schedule, false);
    if (!status)
        status = kp_replay_round(&d->replay, -1);
    for (int round = 0; round < d->rounds && !status; round++) {
        for (int rank = 0; rank < d->problem->n && !status; rank++)
            status = add_edges(t, rank, round) ? KP_OK : KP_EMEMORY;
        if (!status)
            status = kp_replay_round(&d->replay, round);
    }
    kp_replay_end(&d->replay);
    return status;
}

static void tabulate(const struct tree *t)
{
    static const char *const headings[] = {"round", "port", "from", "to", "bytes"};
    const struct kp_drawing *d = t->drawing;
    const struct kp_arrow *edges = t->edges.items;
    d->pen->begin_grid(d->pen->to);
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        kp_draw_word(d, headings[i]);
    kp_draw_end_row(d);
    for (size_t i = 0; i < t->edges.count; i++) {
        kp_draw_number(d, edges[i].round);
        kp_draw_number(d, edges[i].port);
        kp_draw_number(d, edges[i].from);
        kp_draw_number(d, edges[i].to);
        kp_draw_number(d, edges[i].bytes);
        kp_draw_end_row(d);
    }
    d->pen->end_grid(d->pen->to);
}

static void draw(const struct tree *t)
{
    const struct kp_drawing *d = t->drawing;
    const struct kp_arrow *edges = t->edges.items;
    struct kp_diagram diagram = {
        .n = d->problem->n, .k = d->problem->k, .rounds = d->rounds, .root = t->root};
    d->pen->begin_arrows(d->pen->to, &diagram);
    for (size_t i = 0; i < t->edges.count; i++)
        d->pen->arrow(d->pen->to, &edges[i]);
    d->pen->end_arrows(d->pen->to);
}

int kp_draw_tree(struct kp_drawing *d, int root)
{
    struct tree t = {.drawing = d, .root = root};
    char title[64];
    int status = follow(&t);
    if (!status) {
        snprintf(title, sizeof title, "where the data of processor %d go", root);
        d->pen->section(d->pen->to, title);
        if (d->pen->begin_arrows)
            draw(&t);
        else
            tabulate(&t);
        kp_draw_tell_rounds(d);
    }
    kp_vector_free(&t.cells);
    kp_vector_free(&t.edges);
    return status;
}
