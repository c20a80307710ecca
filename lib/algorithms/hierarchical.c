/* Operations in which one processor of each process, the leader, speaks for its process.
 *
 * Source: folklore; Karonis, de Supinski, Foster, Gropp, Lusk and Bresnahan 2000, "Exploiting
 * hierarchy in parallel computer networks to optimize collective operation performance". The stages
 * are schedules of other files: scatter_tree.c, gather_tree.c, broadcast_tree.c, index_radix.c,
 * concat_circulant.c, reduce_ordered_tree.c, allreduce_recursive_doubling.c, and
 * reduce_scatter_circulant.c or, in the order of the ranks, reduce_scatter_pairwise.c.
 *
 * How it works. hierarchy.h explains t, P and numbers. The leaders have the root's number, or
 * number 0 if there is no root. These are the stages:
 *   index           every leader gathers n blocks from each processor of its process; index in
 *                   radix r among the leaders, of t^2 blocks; every leader scatters n blocks
 *   concat          gather of a block from each processor; concatenation among the leaders, of t
 *                   blocks; broadcast of n blocks
 *   broadcast       broadcast among the leaders; broadcast
 *   scatter         scatter among the leaders, of t blocks; scatter
 *   gather          gather; gather among the leaders, of t blocks
 *   reduce          reduce; reduce among the leaders
 *   allreduce       reduce; allreduce among the leaders; broadcast
 *   reduce-scatter  reduce, of n blocks; reduce-scatter among the leaders, of t blocks; scatter
 * A process has consecutive ranks. So if each stage combines operands in the order of the ranks,
 * all stages together do so.
 *
 * Cost. C1 and C2 are the sums over the stages. The heads of the stages' files have the formulas.
 * In them n is t within processes and P among leaders, and b is the bytes of the blocks above. Only
 * the stages among leaders count between processes. */
#include "lib/algorithms/hierarchy.h"
#include "lib/algorithms/index_steps.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

/* --- Stages --- */

static void index_stages(struct kp_hierarchy *h)
{
    int64_t n = h->p->n, t = h->t, all = n * t;
    /* A leader gathers its process's blocks in the order of their senders. It sends to process q
     * the blocks q t ... q t + t - 1 of each sender. */
    const struct kp_layout to_process = {KP_SCRATCH, 0, t, t, n, t};
    const struct kp_layout to_processor = {KP_SCRATCH, all, 1, n, t, 1};
    h->scratch = 2 * all;
    kp_add_within(h, &kp_gather_tree, 1, kp_blocks_at(KP_OUT, 0, n),
                  kp_blocks_at(KP_SCRATCH, 0, n));
    kp_add_between(h, &kp_index_radix, 1, to_process, kp_blocks_at(KP_SCRATCH, all, t * t))
        ->values[0] = h->p->values[0];
    kp_add_within(h, &kp_scatter_tree, 1, to_processor, kp_blocks_at(KP_IN, 0, n));
}

static void concat_stages(struct kp_hierarchy *h)
{
    int64_t n = h->p->n, t = h->t, own = h->process * t;
    kp_add_within(h, &kp_gather_tree, 1, kp_blocks_at(KP_OUT, 0, 1), kp_blocks_at(KP_IN, own, 1));
    kp_add_between(h, &kp_concat_circulant, t, kp_blocks_at(KP_IN, own, t),
                   kp_blocks_at(KP_IN, 0, t));
    kp_add_within(h, &kp_broadcast_tree, 1, kp_blocks_at(KP_IN, 0, n), kp_blocks_at(KP_IN, 0, n));
}

static void broadcast_stages(struct kp_hierarchy *h)
{
    const struct kp_layout block = kp_blocks_at(KP_IN, 0, 1);
    kp_add_between(h, &kp_broadcast_tree, 1, block, block);
    kp_add_within(h, &kp_broadcast_tree, 1, block, block);
}

/* Returns where the leader has the t blocks of its process in a scatter or a gather: the root in
 * its own buffer, any other leader in scratch. A block of the stage has `units` of these blocks. */
static struct kp_layout blocks_of_process(struct kp_hierarchy *h, kp_space of_root, int64_t units)
{
    h->scratch = h->t;
    if (h->p->rank == h->p->root)
        return kp_blocks_at(of_root, h->process * h->t, units);
    return kp_blocks_at(KP_SCRATCH, 0, units);
}

static void scatter_stages(struct kp_hierarchy *h)
{
    kp_add_between(h, &kp_scatter_tree, 1, kp_blocks_at(KP_OUT, 0, h->t),
                   blocks_of_process(h, KP_OUT, h->t));
    kp_add_within(h, &kp_scatter_tree, 1, blocks_of_process(h, KP_OUT, 1),
                  kp_blocks_at(KP_IN, 0, 1));
}

static void gather_stages(struct kp_hierarchy *h)
{
    kp_add_within(h, &kp_gather_tree, 1, kp_blocks_at(KP_OUT, 0, 1),
                  blocks_of_process(h, KP_IN, 1));
    kp_add_between(h, &kp_gather_tree, 1, blocks_of_process(h, KP_IN, h->t),
                   kp_blocks_at(KP_IN, 0, h->t));
}

static void reduce_stages(struct kp_hierarchy *h)
{
    h->scratch = 1;
    kp_add_within(h, &kp_reduce_ordered_tree, 1, kp_blocks_at(KP_OUT, 0, 1),
                  kp_blocks_at(KP_SCRATCH, 0, 1));
    kp_add_between(h, &kp_reduce_ordered_tree, 1, kp_blocks_at(KP_SCRATCH, 0, 1),
                   kp_blocks_at(KP_IN, 0, 1));
}

static void allreduce_stages(struct kp_hierarchy *h)
{
    const struct kp_layout sum = kp_blocks_at(KP_SCRATCH, 0, 1), in = kp_blocks_at(KP_IN, 0, 1);
    h->scratch = 1;
    kp_add_within(h, &kp_reduce_ordered_tree, 1, kp_blocks_at(KP_OUT, 0, 1), sum);
    kp_add_between(h, &kp_allreduce_recursive_doubling, 1, sum, in);
    kp_add_within(h, &kp_broadcast_tree, 1, in, in);
}

static void reduce_scatter_stages(struct kp_hierarchy *h)
{
    int64_t n = h->p->n, t = h->t;
    h->scratch = n + t;
    kp_add_within(h, &kp_reduce_ordered_tree, 1, kp_blocks_at(KP_OUT, 0, n),
                  kp_blocks_at(KP_SCRATCH, 0, n));
    kp_add_between(h, kp_hierarchy_reduce_scatter(h->p), t, kp_blocks_at(KP_SCRATCH, 0, t),
                   kp_blocks_at(KP_SCRATCH, n, t));
    kp_add_within(h, &kp_scatter_tree, 1, kp_blocks_at(KP_SCRATCH, n, 1),
                  kp_blocks_at(KP_IN, 0, 1));
}

static void (*const stages_of[KP_OPERATIONS])(struct kp_hierarchy *) = {
    [KP_INDEX] = index_stages,         [KP_CONCAT] = concat_stages,
    [KP_BROADCAST] = broadcast_stages, [KP_SCATTER] = scatter_stages,
    [KP_GATHER] = gather_stages,       [KP_REDUCE] = reduce_stages,
    [KP_ALLREDUCE] = allreduce_stages, [KP_REDUCE_SCATTER] = reduce_scatter_stages,
};

static struct kp_hierarchy hierarchy_of(const kp_problem *p)
{
    struct kp_hierarchy h = kp_hierarchy_of(p, true);
    stages_of[p->operation](&h);
    return h;
}

/* --- The algorithms --- */

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_hierarchy h = hierarchy_of(p);
    kp_hierarchy_build(b, &h);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    struct kp_hierarchy h = hierarchy_of(p);
    kp_hierarchy_cost(&h, p->b, false, c1, c2);
}

static void stated_between(const kp_problem *p, uint64_t *c1, uint64_t *c2, int *senders)
{
    struct kp_hierarchy h = hierarchy_of(p);
    kp_hierarchy_cost(&h, p->b, true, c1, c2);
    *senders = 1;
}

#define BY_LEADERS(OPERATION, ...)                                                                 \
    {                                                                                              \
        .operation = OPERATION, .name = "hierarchical", .source = "folklore; Karonis et al. 2000", \
        .symmetry = KP_NO_SYMMETRY, .restriction = kp_hierarchy_restriction,                       \
        .serves = kp_hierarchy_serves, .build = build, .stated_cost = stated_cost,                 \
        .stated_between = stated_between, __VA_ARGS__                                              \
    }

const kp_algorithm kp_index_hierarchical =
    BY_LEADERS(KP_INDEX, .parameters = {KP_HIERARCHY_RADIX_PARAMETER},
               .summary = "leaders gather in their processes, exchange in radix r, scatter");
const kp_algorithm kp_concat_hierarchical =
    BY_LEADERS(KP_CONCAT, .summary = "leaders gather in their processes, concatenate, broadcast");
const kp_algorithm kp_broadcast_hierarchical =
    BY_LEADERS(KP_BROADCAST, .own_root = 1,
               .summary = "down a tree to the leaders, then down trees in their processes");
const kp_algorithm kp_scatter_hierarchical =
    BY_LEADERS(KP_SCATTER, .own_root = 1,
               .summary = "down a tree to the leaders, then down trees in their processes");
const kp_algorithm kp_gather_hierarchical =
    BY_LEADERS(KP_GATHER, .own_root = 1,
               .summary = "up trees to the leaders of processes, then up a tree of leaders");
const kp_algorithm kp_reduce_hierarchical =
    BY_LEADERS(KP_REDUCE, .own_root = 1,
               .summary = "combined in processes, then by their leaders; any operator");
const kp_algorithm kp_allreduce_hierarchical =
    BY_LEADERS(KP_ALLREDUCE, .same_order = 1,
               .summary = "combined in processes, then by their leaders, broadcast; any operator");
const kp_algorithm kp_reduce_scatter_hierarchical =
    BY_LEADERS(KP_REDUCE_SCATTER,
               .summary = "combined in processes, then by their leaders, scattered; any operator");
