/* Operations in which all processors of a process exchange messages with other processes at once.
 *
 * Source: folklore. The stages are schedules of other files: index_radix.c, concat_circulant.c,
 * allreduce_recursive_doubling.c, parts.h, and reduce_scatter_circulant.c or, in the order of the
 * ranks, reduce_scatter_pairwise.c.
 *
 * How it works. hierarchy.h explains t, P and numbers. Between processes the processors with the
 * same number are a group. These are the stages:
 *   index           index within processes, of P blocks, so that processor i gets all blocks that
 *                   go to processors with number i; index in radix r between processes, of t blocks
 *   concat          concatenation between processes; concatenation within processes, of P blocks
 *   allreduce       a block is cut into t parts, and processor i of each process combines the parts
 *                   i of this process; allreduce of part i between processes; concatenation of the
 *                   parts within processes
 *   reduce-scatter  reduce-scatter within processes, of P blocks; reduce-scatter between processes
 * Within processes the index has radix t, so every block is sent once.
 *
 * Cost. C1 and C2 are the sums over the stages. The heads of the stages' files have the formulas.
 * In them n is t within processes and P between them, and b is the bytes of the blocks above. The
 * longest part of a block of u elements has ceil(u / t) elements. */
#include "lib/algorithms/hierarchy.h"
#include "lib/algorithms/index_steps.h"
#include "lib/algorithms/parts.h"
#include "lib/algorithms/reduce_backwards.h"
#include "lib/algorithms/table.h"

/* The parts of a block, combined at their processors: the first half of allreduce_scatter_concat.c.
 * The units of an allreduce are elements, and those of the concatenation of parts are bytes. */
static const kp_algorithm combined_parts = {
    .operation = KP_ALLREDUCE,
    .name = "combined-parts",
    .symmetry = KP_NO_SYMMETRY,
    .splits = kp_parts_split,
    .mirror_of = &kp_parts_concat,
    .stated_cost = kp_parts_cost,
};

/* --- Stages --- */

/* Returns the layout of blocks of P units each, of which block i has the units i, i + t, ... */
static struct kp_layout for_numbers(const struct kp_hierarchy *h, kp_space space)
{
    return (struct kp_layout){space, 0, 1, h->processes, h->t, 1};
}

static void index_stages(struct kp_hierarchy *h)
{
    const struct kp_layout middle = kp_blocks_at(KP_SCRATCH, 0, h->t);
    h->scratch = h->p->n;
    kp_add_within(h, &kp_index_radix, 1, for_numbers(h, KP_OUT), for_numbers(h, KP_SCRATCH))
        ->values[0] = h->t;
    kp_add_between(h, &kp_index_radix, 1, middle, kp_blocks_at(KP_IN, 0, h->t))->values[0] =
        h->p->values[0];
}

static void concat_stages(struct kp_hierarchy *h)
{
    const struct kp_layout from_number = {KP_IN, h->number, h->t, 1, 0, 1};
    struct kp_layout own = for_numbers(h, KP_IN);
    own.first = h->number;
    kp_add_between(h, &kp_concat_circulant, 1, kp_blocks_at(KP_OUT, 0, 1), from_number);
    kp_add_within(h, &kp_concat_circulant, h->processes, own, for_numbers(h, KP_IN));
}

static void allreduce_stages(struct kp_hierarchy *h)
{
    kp_problem in_process = *h->p;
    in_process.n = h->t;
    const struct kp_parts parts = kp_parts_of(&in_process);
    const struct kp_layout in = kp_blocks_at(KP_IN, 0, parts.units);
    const struct kp_layout sums = kp_blocks_at(KP_SCRATCH, 0, parts.units);
    kp_piece part = kp_parts_piece(&parts, h->number, 1);
    h->scratch = parts.units;
    kp_add_within(h, &combined_parts, parts.units, kp_blocks_at(KP_OUT, 0, parts.units), sums);
    kp_add_between(h, &kp_allreduce_recursive_doubling, 1,
                   kp_blocks_at(KP_SCRATCH, part.first, part.run),
                   kp_blocks_at(KP_IN, part.first, part.run));
    kp_add_within(h, &kp_parts_concat, parts.units, in, in);
}

static void reduce_scatter_stages(struct kp_hierarchy *h)
{
    const kp_algorithm *algorithm = kp_hierarchy_reduce_scatter(h->p);
    h->scratch = h->processes;
    kp_add_within(h, algorithm, h->processes, for_numbers(h, KP_OUT),
                  kp_blocks_at(KP_SCRATCH, 0, h->processes));
    kp_add_between(h, algorithm, 1, kp_blocks_at(KP_SCRATCH, 0, 1), kp_blocks_at(KP_IN, 0, 1));
}

static void (*const stages_of[KP_OPERATIONS])(struct kp_hierarchy *) = {
    [KP_INDEX] = index_stages,
    [KP_CONCAT] = concat_stages,
    [KP_ALLREDUCE] = allreduce_stages,
    [KP_REDUCE_SCATTER] = reduce_scatter_stages,
};

static struct kp_hierarchy hierarchy_of(const kp_problem *p)
{
    struct kp_hierarchy h = kp_hierarchy_of(p, false);
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

static void cost(const kp_problem *p, bool only_between, uint64_t *c1, uint64_t *c2)
{
    struct kp_hierarchy h = hierarchy_of(p);
    size_t units = p->algorithm->splits ? (size_t)kp_parts_of(p).units : 1;
    kp_hierarchy_cost(&h, p->b / units, only_between, c1, c2);
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    cost(p, false, c1, c2);
}

static void stated_between(const kp_problem *p, uint64_t *c1, uint64_t *c2, int *senders)
{
    cost(p, true, c1, c2);
    *senders = p->per_process;
}

static const char commutative[] =
    "per_process = 2 ... n / 2 processors in each process of an MPI, and a commutative operator";

static const char *serves_commutative(const kp_problem *p)
{
    return kp_hierarchy_serves(p) || kp_serves_commutative(p) ? commutative : NULL;
}

#define IN_PARALLEL(OPERATION, ...)                                                                \
    {                                                                                              \
        .operation = OPERATION, .name = "hierarchical-parallel", .source = "folklore",             \
        .symmetry = KP_NO_SYMMETRY, .build = build, .stated_cost = stated_cost,                    \
        .stated_between = stated_between, __VA_ARGS__                                              \
    }
#define ANY_OPERATOR .restriction = kp_hierarchy_restriction, .serves = kp_hierarchy_serves

const kp_algorithm kp_index_hierarchical_parallel =
    IN_PARALLEL(KP_INDEX, ANY_OPERATOR, .parameters = {KP_HIERARCHY_RADIX_PARAMETER},
                .summary = "within processes, then in radix r between them, all at once");
const kp_algorithm kp_concat_hierarchical_parallel = IN_PARALLEL(
    KP_CONCAT, ANY_OPERATOR, .summary = "between processes, all at once, then within them");
const kp_algorithm kp_allreduce_hierarchical_parallel =
    IN_PARALLEL(KP_ALLREDUCE, .restriction = commutative, .serves = serves_commutative,
                .splits = kp_parts_split, .same_order = 1,
                .summary = "parts combined in processes, then between them, then concatenated");
const kp_algorithm kp_reduce_scatter_hierarchical_parallel =
    IN_PARALLEL(KP_REDUCE_SCATTER, ANY_OPERATOR,
                .summary = "within processes, then between them, all at once; any operator");
