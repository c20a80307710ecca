/* Reduction along a tree of intervals, in the order of the processors.
 *
 * Source: folklore; the (k + 1)-ary tree of Bruck et al. 1997, Proposition 2.1, over intervals.
 *
 * How it works. Before round t the processors are cut in intervals of (k + 1)^t neighbours. One
 * processor of each interval, its holder, has the interval's operands combined. The holder is the
 * root in the root's interval, and the first processor in the others. In round t up to k + 1
 * neighbouring intervals become one, and the other holders send to its holder. It first combines
 * the sums from below its own interval, the nearest first, on the left. Then it combines the sums
 * from above on the right. So the operator need not be commutative, for any root. The schedule is
 * written for the problem's own root.
 *
 * Cost. Let d = ceil(log_{k+1} n). C1 = d, C2 = b d. */
#include "kport/model.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

#include <stdbool.h>

/* Neighbouring intervals of `part` processors each, which become one in a round. */
struct merge {
    int64_t first, part, parts;
    int64_t own; /* number of the part that contains the holder */
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

/* Returns the part of the j-th sender: first the parts below the own one downwards, then the parts
 * above it upwards. */
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
