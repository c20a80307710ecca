/* Reduction along a tree of intervals, which combines operands in the order of the ranks. So the
 * operator need not be commutative, whatever the root is.
 *
 * Source: folklore. It is the (k + 1)-ary tree of Bruck et al. 1997, Proposition 2.1, over
 * intervals.
 *
 * How it works. Before round t = 0, 1, ... the ranks are cut into intervals of (k + 1)^t ranks; the
 * last interval may be shorter. One processor of each interval, its holder, has the sum of the
 * interval: the combination of all operands of its ranks. If the interval contains the root, the
 * root is the holder, else the first processor. In round t up to k + 1 consecutive intervals become
 * one. One of their holders becomes the holder of the new interval, and the other holders send
 * their sums to this holder. The holder combines its own sum first with the sums of the lower
 * intervals, as left operands, beginning with the nearest interval. Then it combines the result
 * with the sums of the higher intervals, as right operands, again beginning with the nearest.
 *
 * Cost. Let d = ceil(log_{k+1} n). C1 = d, C2 = b d. */
#include "kport/model.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

#include <stdbool.h>

/* Consecutive intervals, here called parts, that become one interval in a round. Each part has
 * `part` ranks, except that the last part may be shorter. */
struct merge {
    int64_t first, part, parts;
    int64_t own; /* the number of the part whose holder becomes the holder of the new interval */
};

static struct merge merge_of(const kp_problem *p, int64_t rank, int64_t part)
{
    int64_t whole = part * (p->k + 1);
    struct merge m = {.first = rank / whole * whole, .part = part};
    m.parts = kp_least(p->k + 1, (p->n - m.first + part - 1) / part);
    if (p->root >= m.first && p->root < m.first + whole)
        m.own = (p->root - m.first) / part;
    return m;
}

static int64_t holder_of(const kp_problem *p, const struct merge *m, int64_t part)
{
    int64_t first = m->first + part * m->part;
    return p->root >= first && p->root < first + m->part ? p->root : first;
}

static kp_piece sum_of(const kp_problem *p)
{
    return kp_run_of(p->rank == p->root ? KP_IN : KP_SCRATCH, 0, 1);
}

/* Returns the number of the part that sends on port j. The parts below the holder's part come
 * first, from the nearest downwards. Then the parts above it come, from the nearest upwards. */
static int64_t sender(const struct merge *m, int64_t j)
{
    return j < m->own ? m->own - 1 - j : j + 1;
}

static void build_receives(kp_builder *b, const kp_problem *p, const struct merge *m, bool *has_sum)
{
    for (int64_t j = 0; j + 1 < m->parts; j++) {
        int64_t part = sender(m, j);
        kp_build_combine(b, (int)j, (int)holder_of(p, m, part), part < m->own ? KP_LEFT : KP_RIGHT);
        kp_build_piece(b, sum_of(p));
        kp_build_operand(b, *has_sum ? sum_of(p) : kp_run_of(KP_OUT, 0, 1));
        *has_sum = true;
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    bool has_sum = false, holds = true;
    if (p->rank != p->root)
        kp_build_scratch(b, 1);
    if (p->n == 1)
        kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    for (int64_t part = 1; part < p->n; part *= p->k + 1) {
        struct merge m = merge_of(p, p->rank, part);
        int64_t holder = holder_of(p, &m, m.own);
        kp_build_round(b);
        if (holds && holder == p->rank) {
            build_receives(b, p, &m, &has_sum);
        } else if (holds) {
            kp_build_send(b, 0, (int)holder);
            kp_build_piece(b, has_sum ? sum_of(p) : kp_run_of(KP_OUT, 0, 1));
            holds = false;
        }
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)kp_ceil_log((uint64_t)p->n, (uint64_t)p->k + 1);
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_reduce_ordered_tree = {
    .operation = KP_REDUCE,
    .name = "ordered-tree",
    .summary = "neighbouring intervals become one; any operator, least rounds",
    .source = "folklore; Bruck et al. 1997, Proposition 2.1, over intervals",
    .symmetry = KP_NO_SYMMETRY,
    .own_root = 1,
    .build = build,
    .stated_cost = stated_cost,
};
