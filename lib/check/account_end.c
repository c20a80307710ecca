/* The account of a schedule whose rounds obey the rules, but whose results are wrong. */
#include "lib/check/account_data.h"
#include "lib/check/order.h"
#include "lib/problem/operation.h"

/* Marks a processor at the end. */
static void mark_end(struct account *a, int rank)
{
    int rounds = kp_schedule_rounds(a->schedule);
    *a->mark =
        (struct kp_mark){.round = rounds, .from = rank, .to = rank, .port = -1, .rounds = rounds};
}

struct kp_spot kp_account_wanted(const struct account *a, struct kp_spot place)
{
    const struct kp_replay *r = &a->ways.replay;
    kp_cell at = place.cell - r->begin[KP_IN];
    struct kp_origin wanted =
        kp_operation_row(a->problem->operation)
            ->wanted(a->problem->root, place.rank, (int)(at / kp_account_cells(a)));
    return (struct kp_spot){wanted.rank,
                            wanted.block * kp_account_cells(a) + at % kp_account_cells(a)};
}

static bool is_wrong(const struct account *a, struct kp_spot place)
{
    const struct kp_replay *r = &a->ways.replay;
    struct kp_spot wanted = kp_account_wanted(a, place);
    return kp_operation_holds(a->problem, place.rank, KP_IN) &&
           kp_replay_held(r, place.rank, place.cell) !=
               kp_replay_symbol(r, wanted.rank, wanted.cell);
}

/* Returns the wrong place that was filled first. If all wrong places are empty, returns the place
 * that the checker found. */
static struct kp_spot first_wrong(const struct account *a)
{
    const struct kp_replay *r = &a->ways.replay;
    kp_cell cells = r->begin[KP_SCRATCH] - r->begin[KP_IN];
    struct kp_spot best = {a->finding.processor, a->finding.cell};
    uint64_t least = UINT64_MAX;
    for (int rank = 0; rank < a->problem->n; rank++) {
        for (kp_cell i = 0; i < cells; i++) {
            struct kp_spot place = {rank, r->begin[KP_IN] + i};
            uint64_t written = a->ways.written[rank * cells + i];
            if (written == 0 || written >= least || !is_wrong(a, place))
                continue;
            least = written;
            best = place;
        }
    }
    return best;
}

/* Marks the hops by which the block came to a spot. */
static void mark_chain(const struct kp_way *way, struct kp_spot spot, bool *chain)
{
    int i = kp_way_to(way, (int)way->hops.count, spot);
    while (i >= 0) {
        chain[i] = true;
        i = kp_way_to(way, i, kp_hop_at(way, i)->from);
    }
}

/* Returns the first hop to the wrong place that is not on the way to a place where the block
 * belongs, or -1. Sets `chain` to the hops on the way to the wrong place. */
static int stray_hop(const struct account *a, const struct kp_way *way, struct kp_spot wrong,
                     bool *chain, bool *good)
{
    const struct kp_replay *r = &a->ways.replay;
    mark_chain(way, wrong, chain);
    for (int rank = 0; rank < a->problem->n; rank++) {
        for (kp_cell cell = r->begin[KP_IN]; cell < r->begin[KP_SCRATCH]; cell++) {
            struct kp_spot wanted = kp_account_wanted(a, (struct kp_spot){rank, cell});
            if (wanted.rank == way->origin.rank && wanted.cell == way->origin.cell &&
                !is_wrong(a, (struct kp_spot){rank, cell}))
                mark_chain(way, (struct kp_spot){rank, cell}, good);
        }
    }
    for (int i = 0; i < (int)way->hops.count; i++) {
        if (chain[i] && !good[i])
            return i;
    }
    return -1;
}

static void put_stray(struct account *a, const struct kp_way *way, const bool *chain, int stray,
                      struct kp_spot wrong)
{
    const struct kp_hop *hop = kp_hop_at(way, stray);
    bool last = hop->to.rank == wrong.rank && hop->to.cell == wrong.cell;
    fprintf(a->out, "The first that goes astray is ");
    kp_account_block(a, way->origin);
    if (hop->round >= 0)
        fprintf(a->out, ": in round %d", hop->round);
    else
        fprintf(a->out, ": before the first round");
    fprintf(a->out, " it comes to ");
    kp_account_place(a, hop->to.cell);
    fprintf(a->out, " at processor %d", hop->to.rank);
    if (!last) {
        fprintf(a->out, ", and from there only on to ");
        kp_account_place(a, wrong.cell);
        fprintf(a->out, " at processor %d", wrong.rank);
    }
    fprintf(a->out, ", where ");
    kp_account_block(a, kp_account_wanted(a, wrong));
    fprintf(a->out, " belongs.\n");
    kp_account_way(a, way, chain, stray);
    *a->mark = (struct kp_mark){.round = hop->round,
                                .from = hop->from.rank,
                                .to = hop->to.rank,
                                .port = hop->out_port,
                                .rounds = kp_schedule_rounds(a->schedule)};
}

/* Writes what has become of a block that is missing in a place. */
static void put_missing(struct account *a, const struct kp_way *way, struct kp_spot wrong)
{
    int came = -1, there = kp_way_to(way, (int)way->hops.count, wrong);
    for (int i = 0; i < (int)way->hops.count; i++)
        came = kp_hop_at(way, i)->to.rank == wrong.rank ? i : came;
    kp_account_block(a, way->origin);
    fprintf(a->out, ", in ");
    kp_account_place(a, wrong.cell);
    fprintf(a->out, " at processor %d. ", wrong.rank);
    if (there >= 0)
        fprintf(a->out, "It came there in round %d, but was overwritten.\n",
                kp_hop_at(way, there)->round);
    else if (came < 0 && way->origin.rank != wrong.rank)
        fprintf(a->out, "No message takes it to this processor.\n");
    else
        fprintf(a->out, "It is at this processor, but nothing takes it to that place.\n");
    kp_account_way(a, way, NULL, -1);
}

int kp_account_result(struct account *a)
{
    struct kp_spot origins[KP_WAYS] = {kp_nowhere, kp_nowhere};
    int status = kp_ways_find(&a->ways, a->schedule, &a->finding, origins), stray = -1;
    struct kp_spot wrong = kp_nowhere;
    if (!status) {
        wrong = first_wrong(a);
        origins[0] = kp_ways_origin(&a->ways.replay,
                                    kp_replay_held(&a->ways.replay, wrong.rank, wrong.cell));
        origins[1] = kp_account_wanted(a, wrong);
    }
    kp_ways_end(&a->ways);
    if (status || (status = kp_ways_find(&a->ways, a->schedule, &a->finding, origins)))
        return status;
    const struct kp_way *held = &a->ways.way[0];
    bool *chain = calloc(2 * held->hops.count + 1, sizeof *chain);
    if (!chain)
        return KP_EMEMORY;
    if (origins[0].rank >= 0)
        stray = stray_hop(a, held, wrong, chain, chain + held->hops.count);
    mark_end(a, wrong.rank);
    if (stray >= 0)
        put_stray(a, held, chain, stray, wrong);
    fprintf(a->out, stray >= 0 ? "\nWhat is missing is " : "What is missing at the end is ");
    put_missing(a, &a->ways.way[1], wrong);
    free(chain);
    return KP_OK;
}

/* --- A wrong sum at the end --- */

static void put_tree(struct account *a, const struct kp_order *order, const struct kp_trees *trees,
                     int rank)
{
    char text[KP_TREE_WIDTH + 1];
    kp_cell cell = a->finding.cell - a->ways.replay.begin[KP_IN];
    kp_tree tree = order->trees[rank * order->cells + cell];
    if (tree == KP_NO_TREE)
        return;
    kp_tree_write(trees, tree, a->problem->n, text);
    fprintf(a->out, "Processor %d combines %s\n", rank, text);
}

/* Writes in which orders processors have combined. */
static int put_trees(struct account *a)
{
    struct kp_order order;
    struct kp_order_difference d;
    struct kp_trees trees;
    kp_trees_begin(&trees, false);
    int status = kp_order_of_replay(&a->ways.replay, &trees, &order);
    if (!status && a->finding.fault == KP_FAULT_ORDER && !kp_order_is_same(&order, &d)) {
        while (order.begin[a->finding.cell - a->ways.replay.begin[KP_IN]] < d.element)
            a->finding.cell++;
        a->finding.processor = d.other;
        put_tree(a, &order, &trees, d.one);
    }
    if (!status)
        put_tree(a, &order, &trees, a->finding.processor);
    kp_order_end(&order);
    kp_trees_end(&trees);
    return status;
}

int kp_account_sum(struct account *a)
{
    struct kp_finding *f = &a->finding;
    struct kp_spot origins[KP_WAYS] = {kp_nowhere, kp_nowhere};
    int64_t cells;
    int status = kp_ways_find(&a->ways, a->schedule, f, origins);
    if (!status && f->fault == KP_FAULT_ORDER) {
        f->cell = a->ways.replay.begin[KP_IN];
        f->processor = 0;
    }
    if (!status && f->fault == KP_FAULT_MEMBER) {
        cells = kp_account_cells(a);
        struct kp_origin place =
            kp_operation_row(a->problem->operation)->wanted(a->problem->root, f->processor, 0);
        origins[0] = (struct kp_spot){f->member,
                                      place.block * cells + f->cell - a->ways.replay.begin[KP_IN]};
    }
    kp_ways_end(&a->ways);
    if (status || (status = kp_ways_find(&a->ways, a->schedule, f, origins)))
        return status;
    status = put_trees(a);
    if (origins[0].rank >= 0)
        kp_account_way(a, &a->ways.way[0], NULL, -1);
    mark_end(a, f->processor);
    return status;
}
