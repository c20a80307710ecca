/* The account of a schedule whose rounds obey the rules, but whose results are wrong. */
#include "lib/check/account_data.h"
#include "lib/check/order.h"
#include "lib/problem/operation.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

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

/* Marks the hops, among the first `count`, by which the block came to a spot. */
static void mark_chain(const struct kp_way *way, int count, struct kp_spot spot, bool *chain)
{
    int i = kp_way_to(way, count, spot);
    while (i >= 0) {
        chain[i] = true;
        i = kp_way_to(way, i, kp_hop_at(way, i)->from);
    }
}

/* Returns whether the block belongs in a place, also if it is overwritten there later. */
static bool belongs(const struct account *a, struct kp_spot origin, struct kp_spot place)
{
    const struct kp_replay *r = &a->ways.replay;
    return place.cell >= r->begin[KP_IN] && place.cell < r->begin[KP_SCRATCH] &&
           kp_operation_holds(a->problem, place.rank, KP_IN) &&
           kp_same_spot(origin, kp_account_wanted(a, place));
}

/* Returns the first hop to the wrong place that is not on the way to a place where the block
 * belongs; if there is none, the last hop; -1 if the block does not come there by a hop. Sets
 * `chain` to the hops on the way to the wrong place. */
static int stray_hop(const struct account *a, const struct kp_way *way, struct kp_spot wrong,
                     bool *chain, bool *good)
{
    int count = (int)way->hops.count;
    mark_chain(way, count, wrong, chain);
    for (int i = 0; i < count; i++) {
        struct kp_spot to = kp_hop_at(way, i)->to;
        if (belongs(a, way->origin, to))
            mark_chain(way, i + 1, to, good);
    }
    for (int i = 0; i < count; i++) {
        if (chain[i] && !good[i])
            return i;
    }
    return kp_way_to(way, count, wrong);
}

static void mark_hop(struct account *a, const struct kp_hop *hop)
{
    *a->mark = (struct kp_mark){.round = hop->round,
                                .from = hop->from.rank,
                                .to = hop->to.rank,
                                .port = hop->out_port,
                                .rounds = kp_schedule_rounds(a->schedule)};
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
    mark_hop(a, hop);
}

/* Returns a place of the processor in which the block is at the end, or KP_NOWHERE. */
static kp_cell place_at(const struct account *a, const struct kp_way *way, int rank)
{
    const struct kp_replay *r = &a->ways.replay;
    for (kp_cell cell = 0; cell < r->begin[KP_SPACES]; cell++) {
        if (kp_way_carries(r, way, kp_replay_held(r, rank, cell)))
            return cell;
    }
    return KP_NOWHERE;
}

/* Writes what has become of a block that is missing in a place. */
static void put_missing(struct account *a, const struct kp_way *way, struct kp_spot wrong)
{
    char name[KP_ROUND_NAME];
    int came = -1, there = kp_way_to(way, (int)way->hops.count, wrong);
    for (int i = 0; i < (int)way->hops.count; i++)
        came = kp_hop_at(way, i)->to.rank == wrong.rank ? i : came;
    const kp_cell lies = place_at(a, way, wrong.rank);
    const char *in = there >= 0 && kp_hop_at(way, there)->round >= 0 ? "in " : "";
    kp_account_block(a, way->origin);
    fprintf(a->out, ", in ");
    kp_account_place(a, wrong.cell);
    fprintf(a->out, " at processor %d. ", wrong.rank);
    if (there >= 0)
        fprintf(a->out, "It came there %s%s, but was overwritten.\n", in,
                kp_round_name(kp_hop_at(way, there)->round, name));
    else if (lies != KP_NOWHERE) {
        fprintf(a->out, "Processor %d has it in ", wrong.rank);
        kp_account_place(a, lies);
        fprintf(a->out, ", but nothing moves it to that place.\n");
    } else if (came >= 0)
        fprintf(a->out, "It came to this processor, but was overwritten.\n");
    else
        fprintf(a->out, "No message takes it to this processor.\n");
    kp_account_way(a, way, NULL, -1);
}

/* Sets the finding's place to the wrong place that was filled first. The account follows the block
 * that lies there, and the block that belongs there. */
static void find_stray(struct account *a)
{
    const struct kp_replay *r = &a->ways.replay;
    struct kp_spot wrong = first_wrong(a);
    a->finding.processor = wrong.rank;
    a->finding.cell = wrong.cell;
    a->origins[0] = kp_ways_origin(r, kp_replay_held(r, wrong.rank, wrong.cell));
    a->origins[1] = kp_account_wanted(a, wrong);
}

int kp_account_result(struct account *a)
{
    int status = kp_account_follow(a, find_stray), stray = -1;
    if (status)
        return status;
    const struct kp_way *held = &a->ways.way[0];
    const struct kp_spot wrong = {a->finding.processor, a->finding.cell};
    bool *chain = calloc(2 * held->hops.count + 1, sizeof *chain);
    if (!chain)
        return KP_EMEMORY;
    if (held->origin.rank >= 0)
        stray = stray_hop(a, held, wrong, chain, chain + held->hops.count);
    mark_end(a, wrong.rank);
    kp_check_refuse_place(&a->ways.replay, &a->finding);
    a->error = *kp_error_slot();
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

/* Sets the finding's place if the finding has none, and the operand that the account follows: the
 * one that is missing or too many, one of a sum that does not belong there, or of an empty place
 * the first that comes from elsewhere. */
static void find_operand(struct account *a)
{
    struct kp_finding *f = &a->finding;
    const struct kp_replay *r = &a->ways.replay;
    const struct kp_operation_row *row = kp_operation_row(a->problem->operation);
    if (f->fault == KP_FAULT_ORDER) {
        f->cell = r->begin[KP_IN];
        f->processor = 0;
        return;
    }
    struct kp_ranks wanted = row->operands(a->problem->n, f->processor);
    kp_cell cell = row->wanted(a->problem->root, f->processor, 0).block * kp_account_cells(a) +
                   f->cell - r->begin[KP_IN];
    bool alone = wanted.first == f->processor && wanted.first + 1 < wanted.end;
    uint64_t held = kp_replay_held(r, f->processor, f->cell);
    if (f->fault == KP_FAULT_MEMBER)
        a->origins[0] = (struct kp_spot){f->member, cell};
    else if (held == KP_NOTHING)
        a->origins[0] = (struct kp_spot){wanted.first + alone, cell};
    else if (kp_contribution_of(&r->contributions, held).cell != cell || wanted.first == wanted.end)
        a->origins[0] = kp_ways_origin(r, held);
}

/* Writes that a place has an operand that does not belong there, and how it came. */
static int put_intruder(struct account *a, const struct kp_way *way, struct kp_spot wrong)
{
    int last = kp_way_to(way, (int)way->hops.count, wrong);
    bool *chain = calloc(way->hops.count + 1, sizeof *chain);
    if (!chain)
        return KP_EMEMORY;
    fprintf(a->out, "What does not belong there is ");
    kp_account_block(a, way->origin);
    fprintf(a->out, ", in ");
    kp_account_place(a, wrong.cell);
    fprintf(a->out, " at processor %d.\n", wrong.rank);
    mark_chain(way, (int)way->hops.count, wrong, chain);
    if (last >= 0)
        mark_hop(a, kp_hop_at(way, last));
    kp_account_way(a, way, chain, last);
    free(chain);
    return KP_OK;
}

int kp_account_sum(struct account *a)
{
    const struct kp_finding *f = &a->finding;
    int status = kp_account_follow(a, find_operand);
    if (status)
        return status;
    const struct kp_way *way = &a->ways.way[0];
    struct kp_spot place = {f->processor, f->cell};
    uint64_t held = kp_replay_held(&a->ways.replay, place.rank, place.cell);
    status = put_trees(a);
    mark_end(a, f->processor);
    if (status || way->origin.rank < 0)
        return status;
    if (kp_way_carries(&a->ways.replay, way, held))
        return put_intruder(a, way, place);
    fprintf(a->out, "What is missing at the end is ");
    put_missing(a, way, place);
    return KP_OK;
}
