#include "lib/operation.h"

#include <string.h>

static struct kp_origin wanted_by_index(int root, int rank, int block)
{
    (void)root;
    return (struct kp_origin){.rank = block, .block = rank};
}

static struct kp_origin wanted_by_concat(int root, int rank, int block)
{
    (void)root;
    (void)rank;
    return (struct kp_origin){.rank = block, .block = 0};
}

static struct kp_origin wanted_by_broadcast(int root, int rank, int block)
{
    (void)rank;
    return (struct kp_origin){.rank = root, .block = block};
}

static struct kp_origin wanted_by_scatter(int root, int rank, int block)
{
    (void)block;
    return (struct kp_origin){.rank = root, .block = rank};
}

static struct kp_origin wanted_by_gather(int root, int rank, int block)
{
    (void)root;
    (void)rank;
    return (struct kp_origin){.rank = block, .block = 0};
}

/* Of reductions: the place is that of the block in its owners' outgoing buffers. */
static struct kp_origin wanted_by_reduction(int root, int rank, int block)
{
    (void)root;
    (void)rank;
    return (struct kp_origin){.rank = 0, .block = block};
}

static struct kp_origin wanted_by_reduce_scatter(int root, int rank, int block)
{
    (void)root;
    (void)block;
    return (struct kp_origin){.rank = 0, .block = rank};
}

static struct kp_ranks all_ranks(int n, int rank)
{
    (void)rank;
    return (struct kp_ranks){0, n};
}

static struct kp_ranks up_to_own(int n, int rank)
{
    (void)n;
    return (struct kp_ranks){0, rank + 1};
}

static struct kp_ranks before_own(int n, int rank)
{
    (void)n;
    return (struct kp_ranks){0, rank};
}

static const struct kp_operation_row rows[KP_OPERATIONS] = {
    [KP_INDEX] = {.name = "index",
                  .alias = "alltoall",
                  .summary = "block j of processor i to place i of processor j",
                  .out = KP_BLOCK_EACH,
                  .in = KP_BLOCK_EACH,
                  .copied_in_place = true,
                  .wanted = wanted_by_index},
    [KP_CONCAT] = {.name = "concat",
                   .alias = "allgather",
                   .summary = "the block of processor i to place i of all",
                   .out = KP_BLOCK_ONE,
                   .in = KP_BLOCK_EACH,
                   .wanted = wanted_by_concat},
    [KP_BROADCAST] = {.name = "broadcast",
                      .alias = "bcast",
                      .summary = "the root's block to all",
                      .out = KP_BLOCK_ONE,
                      .in = KP_BLOCK_ONE,
                      .out_holder = KP_HELD_BY_ROOT,
                      .one_buffer = true,
                      .traffic = KP_TRAFFIC_BLOCK_ONE,
                      .wanted = wanted_by_broadcast},
    [KP_SCATTER] = {.name = "scatter",
                    .alias = "scatter",
                    .summary = "block j of the root to processor j",
                    .out = KP_BLOCK_EACH,
                    .in = KP_BLOCK_ONE,
                    .out_holder = KP_HELD_BY_ROOT,
                    .wanted = wanted_by_scatter},
    [KP_GATHER] = {.name = "gather",
                   .alias = "gather",
                   .summary = "the block of processor i to place i of the root",
                   .out = KP_BLOCK_ONE,
                   .in = KP_BLOCK_EACH,
                   .in_holder = KP_HELD_BY_ROOT,
                   .wanted = wanted_by_gather},
    [KP_INDEXV] = {.name = "indexv",
                   .alias = "alltoallv",
                   .summary = "index, with a length for every block",
                   .out = KP_BLOCK_EACH,
                   .in = KP_BLOCK_EACH,
                   .copied_in_place = true,
                   .lengths = true,
                   .wanted = wanted_by_index},
    [KP_CONCATV] = {.name = "concatv",
                    .alias = "allgatherv",
                    .summary = "concatenation, with a length for every block",
                    .out = KP_BLOCK_ONE,
                    .in = KP_BLOCK_EACH,
                    .lengths = true,
                    .wanted = wanted_by_concat},
    [KP_SCATTERV] = {.name = "scatterv",
                     .alias = "scatterv",
                     .summary = "scatter, with a length for every block",
                     .out = KP_BLOCK_EACH,
                     .in = KP_BLOCK_ONE,
                     .out_holder = KP_HELD_BY_ROOT,
                     .lengths = true,
                     .wanted = wanted_by_scatter},
    [KP_GATHERV] = {.name = "gatherv",
                    .alias = "gatherv",
                    .summary = "gather, with a length for every block",
                    .out = KP_BLOCK_ONE,
                    .in = KP_BLOCK_EACH,
                    .in_holder = KP_HELD_BY_ROOT,
                    .lengths = true,
                    .wanted = wanted_by_gather},
    [KP_REDUCE] = {.name = "reduce",
                   .alias = "reduce",
                   .summary = "the blocks of all, combined, to the root",
                   .out = KP_BLOCK_ONE,
                   .in = KP_BLOCK_ONE,
                   .in_holder = KP_HELD_BY_ROOT,
                   .copied_in_place = true,
                   .traffic = KP_TRAFFIC_BLOCK_ONE,
                   .wanted = wanted_by_reduction,
                   .operands = all_ranks},
    [KP_ALLREDUCE] = {.name = "allreduce",
                      .alias = "allreduce",
                      .summary = "the blocks of all, combined, to all",
                      .out = KP_BLOCK_ONE,
                      .in = KP_BLOCK_ONE,
                      .copied_in_place = true,
                      .traffic = KP_TRAFFIC_GOSSIP,
                      .wanted = wanted_by_reduction,
                      .operands = all_ranks},
    [KP_REDUCE_SCATTER] = {.name = "reduce-scatter",
                           .alias = "reduce_scatter_block",
                           .summary = "the blocks j of all, combined, to processor j",
                           .out = KP_BLOCK_EACH,
                           .in = KP_BLOCK_ONE,
                           .copied_in_place = true,
                           .wanted = wanted_by_reduce_scatter,
                           .operands = all_ranks},
    [KP_SCAN] = {.name = "scan",
                 .alias = "scan",
                 .summary = "the blocks of processors 0 ... i, combined, to processor i",
                 .out = KP_BLOCK_ONE,
                 .in = KP_BLOCK_ONE,
                 .copied_in_place = true,
                 .traffic = KP_TRAFFIC_BLOCK_ONE,
                 .wanted = wanted_by_reduction,
                 .operands = up_to_own},
    [KP_SCAN_EXCLUSIVE] = {.name = "scan-exclusive",
                           .alias = "exscan",
                           .summary = "the blocks of processors 0 ... i - 1, combined, to i",
                           .out = KP_BLOCK_ONE,
                           .in = KP_BLOCK_ONE,
                           .copied_in_place = true,
                           .traffic = KP_TRAFFIC_BLOCK_ONE,
                           .wanted = wanted_by_reduction,
                           .operands = before_own},
    [KP_ONE_TO_ONE] = {.name = "one-to-one",
                       .alias = "one-to-one",
                       .summary = "the root's block to the target",
                       .out = KP_BLOCK_ONE,
                       .in = KP_BLOCK_ONE,
                       .out_holder = KP_HELD_BY_ROOT,
                       .in_holder = KP_HELD_BY_TARGET,
                       .traffic = KP_TRAFFIC_BLOCK_ONE,
                       .wanted = wanted_by_broadcast},
};

const struct kp_operation_row *kp_operation_row(kp_operation operation)
{
    return (unsigned)operation < KP_OPERATIONS ? &rows[operation] : NULL;
}

const char *kp_operation_name(kp_operation operation)
{
    const struct kp_operation_row *row = kp_operation_row(operation);
    return row ? row->name : NULL;
}

static int is(const char *word, const char *name, size_t length)
{
    return strlen(word) == length && memcmp(word, name, length) == 0;
}

int kp_operation_find(const char *name, size_t length)
{
    for (int i = 0; i < KP_OPERATIONS; i++) {
        if (is(rows[i].name, name, length) || is(rows[i].alias, name, length))
            return i;
    }
    return -1;
}

enum kp_blocks kp_operation_blocks(kp_operation operation, kp_space space)
{
    return space == KP_OUT ? rows[operation].out : rows[operation].in;
}

bool kp_operation_has_root(kp_operation operation)
{
    return rows[operation].out_holder == KP_HELD_BY_ROOT ||
           rows[operation].in_holder == KP_HELD_BY_ROOT;
}

bool kp_operation_reduces(kp_operation operation)
{
    return rows[operation].operands != NULL;
}

bool kp_operation_has_target(kp_operation operation)
{
    return rows[operation].in_holder == KP_HELD_BY_TARGET;
}

bool kp_operation_holds(const kp_problem *problem, int rank, kp_space space)
{
    const struct kp_operation_row *row = &rows[problem->operation];
    enum kp_holder holder = space == KP_OUT ? row->out_holder : row->in_holder;
    return space == KP_SCRATCH || holder == KP_HELD_BY_ALL ||
           rank == (holder == KP_HELD_BY_ROOT ? problem->root : problem->target);
}
