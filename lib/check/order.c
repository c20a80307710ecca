#include "lib/check/order.h"

#include "lib/problem/operation.h"
#include "lib/schedule/elements.h"
#include "ports/port.h"

#include <stdio.h>
#include <string.h>

static int no_memory(void)
{
    return kp_set_error(KP_EMEMORY, "there is no memory for the order of the reduction");
}

/* The trees of the symbols that stand for combinations, in the order of the symbols. */
struct grown {
    const struct kp_contributions *all;
    kp_tree *of;
    uint64_t singles; /* symbols up to this number stand for one operand */
};

static kp_tree tree_of(const struct grown *g, uint64_t symbol)
{
    if (symbol == KP_NOTHING)
        return KP_NO_TREE;
    if (symbol <= g->singles)
        return (kp_tree)kp_contribution_of(g->all, symbol).first;
    return g->of[symbol - g->singles - 1];
}

/* Makes the trees of all combinations. The parts of a symbol have smaller numbers. */
static bool grow(struct grown *g, struct kp_trees *trees)
{
    for (size_t i = 0; i < g->all->sets.count; i++) {
        uint64_t left, right;
        kp_contribution_parts(g->all, g->singles + 1 + i, &left, &right);
        g->of[i] = kp_trees_join(trees, tree_of(g, left), tree_of(g, right));
        if (g->of[i] == KP_NO_TREE)
            return false;
    }
    return true;
}

static bool fill_in(const struct kp_replay *r, struct kp_trees *trees, struct kp_order *order)
{
    struct grown g = {.all = &r->contributions,
                      .singles = (uint64_t)r->problem->n * (uint64_t)r->begin[KP_IN],
                      .of = malloc((r->contributions.sets.count + 1) * sizeof *g.of)};
    bool room = g.of && grow(&g, trees);
    for (int rank = 0; rank < r->problem->n && room; rank++) {
        bool holds = kp_operation_holds(r->problem, rank, KP_IN);
        for (int64_t cell = 0; cell < order->cells; cell++)
            order->trees[rank * order->cells + cell] =
                holds ? tree_of(&g, kp_replay_held(r, rank, r->begin[KP_IN] + cell)) : KP_NO_TREE;
    }
    free(g.of);
    return room;
}

int kp_order_of_replay(struct kp_replay *replay, struct kp_trees *trees, struct kp_order *order)
{
    const kp_problem *p = replay->problem;
    size_t cells = (size_t)kp_replay_cells_of_block(replay);
    *order = (struct kp_order){.problem = p,
                               .elements = replay->unit,
                               .cells = (int64_t)cells,
                               .begin = malloc(cells * sizeof *order->begin),
                               .trees = malloc((size_t)p->n * cells * sizeof *order->trees)};
    if (!order->begin || !order->trees)
        return no_memory();
    memcpy(order->begin, replay->cuts.items, cells * sizeof *order->begin);
    return fill_in(replay, trees, order) ? KP_OK : no_memory();
}

int kp_order_find(const kp_schedule *schedule, struct kp_trees *trees, struct kp_order *order)
{
    struct kp_replay replay;
    *order = (struct kp_order){.problem = NULL};
    int status = kp_replay_begin(&replay, schedule, false);
    for (int round = -1; round < kp_schedule_rounds(schedule) && !status; round++)
        status = kp_replay_round(&replay, round);
    if (!status)
        status = kp_order_of_replay(&replay, trees, order);
    kp_replay_end(&replay);
    return status;
}

void kp_order_end(struct kp_order *order)
{
    free(order->begin);
    free(order->trees);
}

kp_tree kp_order_tree(const struct kp_order *order, int rank, int64_t element)
{
    int64_t low = 0, high = order->cells;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (order->begin[middle] <= element)
            low = middle;
        else
            high = middle;
    }
    return order->trees[rank * order->cells + low];
}

bool kp_order_is_same(const struct kp_order *order, struct kp_order_difference *difference)
{
    const kp_problem *p = order->problem;
    for (int rank = 1; rank < p->n && kp_operation_shares_result(p->operation); rank++) {
        for (int64_t cell = 0; cell < order->cells; cell++) {
            if (order->trees[rank * order->cells + cell] == order->trees[cell])
                continue;
            if (difference)
                *difference = (struct kp_order_difference){0, rank, order->begin[cell]};
            return false;
        }
    }
    return true;
}

int kp_order_check(struct kp_replay *replay)
{
    const kp_problem *p = replay->problem;
    struct kp_order order;
    struct kp_order_difference d;
    struct kp_trees trees;
    if (!(p->algorithm->same_order || p->same_order) || !kp_operation_shares_result(p->operation))
        return KP_OK;
    kp_trees_begin(&trees, !kp_is_ordered(p));
    int status = kp_order_of_replay(replay, &trees, &order);
    if (!status && !kp_order_is_same(&order, &d)) {
        char says[280] = "the problem asks for same_order";
        if (p->algorithm->same_order)
            snprintf(says, sizeof says, "algorithm %s says same_order", p->algorithm->name);
        status = kp_set_error(KP_ESCHEDULE,
                              "at the end processors %d and %d have combined element %lld in "
                              "different orders, but %s",
                              d.one, d.other, (long long)d.element, says);
        kp_error_slot()->processor = d.other;
        kp_error_slot()->peer = d.one;
    }
    kp_order_end(&order);
    kp_trees_end(&trees);
    return status;
}
