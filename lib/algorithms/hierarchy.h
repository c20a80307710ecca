/* This header is for algorithms that know which processors share a process (per_process in
 * kp_problem). They consist of stages (lib/schedule/stage.h). In each stage either the processors
 * of each process are a group, or processors of different processes are.
 *
 * Let t = per_process, and let P = n / t be the number of processes. The processor with the rank
 * p t + i is called processor i of process p.
 *
 * In the algorithms named `hierarchical` each process has a leader, and only leaders exchange
 * messages between processes. Such a message has the blocks of all processors of a process. In the
 * algorithms named `hierarchical-parallel` every processor exchanges messages with the processors
 * of other processes that have its number, and has a share of the blocks. */
#ifndef KPORT_LIB_ALGORITHMS_HIERARCHY_H
#define KPORT_LIB_ALGORITHMS_HIERARCHY_H

#include "lib/schedule/stage.h"

struct kp_hierarchy {
    const kp_problem *p;
    int t, processes; /* t and P */
    int process;      /* the process of the processor p->rank */
    int number;       /* the number of the processor p->rank in its process */
    /* The number of the leader in each process; -1: all processors exchange messages between
     * processes. */
    int leader;
    int64_t scratch; /* the units of scratch in which stages leave blocks for later stages */
    int count;       /* the number of stages so far */
    struct kp_stage stages[KP_STAGES];
    bool between[KP_STAGES]; /* true: the stage's messages go from process to process */
};

/* Returns a hierarchy without stages. The leaders have the root's number. */
struct kp_hierarchy kp_hierarchy_of(const kp_problem *p, bool by_leaders);

/* `kp_add_within` adds a stage in which the processors of each process are a group.
 * `kp_add_between` adds a stage in which the leaders are a group, or, without leaders, the
 * processors with the same number. `out` and `in` say where the blocks of the stage lie. The
 * schedule of `algorithm` may split a block into `units` units: 1, or all units of the block. The
 * functions return the stage's problem, so that the caller can set the parameters. A parameter that
 * is a word has its first value already. */
kp_problem *kp_add_within(struct kp_hierarchy *h, const kp_algorithm *algorithm, int64_t units,
                          struct kp_layout out, struct kp_layout in);
kp_problem *kp_add_between(struct kp_hierarchy *h, const kp_algorithm *algorithm, int64_t units,
                           struct kp_layout out, struct kp_layout in);

/* Returns the layout of blocks of `units` units that lie one after the other. */
static inline struct kp_layout kp_blocks_at(kp_space space, int64_t first, int64_t units)
{
    struct kp_layout layout = {space, first, units, 1, 0, units};
    return layout;
}

void kp_hierarchy_build(kp_builder *b, const struct kp_hierarchy *h);

/* Stores the sums of C1 and of C2 over the stages, or only over the stages between processes.
 * `unit` is the bytes of a unit of the whole schedule. `h` is that of the processor with the
 * longest blocks. */
void kp_hierarchy_cost(const struct kp_hierarchy *h, size_t unit, bool only_between, uint64_t *c1,
                       uint64_t *c2);

/* `kp_hierarchy_serves` accepts problems with several processes of several processors each. */
extern const char kp_hierarchy_restriction[];
const char *kp_hierarchy_serves(const kp_problem *p);

/* The radix of an index between processes. */
#define KP_HIERARCHY_RADIX_PARAMETER                                                               \
    {                                                                                              \
        .name = "r",                                                                               \
        .summary = "radix between processes: few rounds when small, few bytes when "               \
                   "large",                                                                        \
        .range = "2 ... max(2, n / per_process)", .low = kp_index_radix_low,                       \
        .high = kp_hierarchy_radix_high                                                            \
    }
long kp_hierarchy_radix_high(const kp_problem *p);

/* Returns the reduce-scatter for the problem's operator. If the operands must be combined in the
 * order of the ranks, the reduce-scatter does so. */
const kp_algorithm *kp_hierarchy_reduce_scatter(const kp_problem *p);

#endif
