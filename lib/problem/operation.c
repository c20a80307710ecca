#include "lib/problem/operation.h"

#include <stdio.h>

#define WANTED(NAME, RANK, BLOCK)                                                                  \
    static struct kp_origin wanted_by_##NAME(int root, int rank, int block) {                      \
        (void)root, (void)rank, (void)block;                                                       \
        return (struct kp_origin){.rank = RANK, .block = BLOCK};                                   \
    }
WANTED(index, block, rank)
WANTED(concat, block, 0)
WANTED(broadcast, root, block)
WANTED(scatter, root, rank)
WANTED(reduction, 0, block) /* `block` is also the operands' place in the outgoing buffers */
WANTED(reduce_scatter, 0, rank)

#define RANKS(NAME, END)                                                                           \
    static struct kp_ranks NAME(int n, int rank) {                                                 \
        (void)n, (void)rank;                                                                       \
        return (struct kp_ranks){0, END};                                                          \
    }
RANKS(all_ranks, n)
RANKS(up_to_own, rank + 1)
RANKS(before_own, rank)

#define ROW(NAME, ALIAS, SUMMARY, OUT, IN, WANTED, ...)                                            \
    {                                                                                              \
        .name = NAME, .alias = ALIAS, .summary = SUMMARY, .out = KP_BLOCK_##OUT,                   \
        .in = KP_BLOCK_##IN, .wanted = wanted_by_##WANTED, __VA_ARGS__                             \
    }
#define OF_ROOT      .out_holder = KP_HELD_BY_ROOT
#define TO_ROOT      .in_holder = KP_HELD_BY_ROOT
#define TO_TARGET    .in_holder = KP_HELD_BY_TARGET
#define LENGTHS      .lengths = true
#define COPIED       .copied_in_place = true
#define ONE_BLOCK    .traffic = KP_TRAFFIC_BLOCK_ONE
#define BLOCK_EACH   .traffic = KP_TRAFFIC_BLOCK_EACH
#define OPERANDS(OF) .operands = OF

static const struct kp_operation_row rows[KP_OPERATIONS] = {
    [KP_INDEX] = ROW("index", "alltoall", "block j of processor i to place i of processor j", EACH,
                     EACH, index, COPIED, BLOCK_EACH),
    [KP_CONCAT] = ROW("concat", "allgather", "the block of processor i to place i of all", ONE,
                      EACH, concat, BLOCK_EACH),
    [KP_BROADCAST] = ROW("broadcast", "bcast", "the root's block to all", ONE, ONE, broadcast,
                         OF_ROOT, .one_buffer = true, ONE_BLOCK),
    [KP_SCATTER] = ROW("scatter", "scatter", "block j of the root to processor j", EACH, ONE,
                       scatter, OF_ROOT, BLOCK_EACH),
    [KP_GATHER] = ROW("gather", "gather", "the block of processor i to place i of the root", ONE,
                      EACH, concat, TO_ROOT, BLOCK_EACH),
    [KP_INDEXV] = ROW("indexv", "alltoallv", "index, with a length for every block", EACH, EACH,
                      index, LENGTHS, COPIED, BLOCK_EACH),
    [KP_CONCATV] = ROW("concatv", "allgatherv", "concatenation, with a length for every block", ONE,
                       EACH, concat, LENGTHS, BLOCK_EACH),
    [KP_SCATTERV] = ROW("scatterv", "scatterv", "scatter, with a length for every block", EACH, ONE,
                        scatter, OF_ROOT, LENGTHS, BLOCK_EACH),
    [KP_GATHERV] = ROW("gatherv", "gatherv", "gather, with a length for every block", ONE, EACH,
                       concat, TO_ROOT, LENGTHS, BLOCK_EACH),
    [KP_REDUCE] = ROW("reduce", "reduce", "the blocks of all, combined, to the root", ONE, ONE,
                      reduction, TO_ROOT, COPIED, ONE_BLOCK, OPERANDS(all_ranks)),
    [KP_ALLREDUCE] = ROW("allreduce", "allreduce", "the blocks of all, combined, to all", ONE, ONE,
                         reduction, COPIED, .traffic = KP_TRAFFIC_GOSSIP, OPERANDS(all_ranks)),
    [KP_REDUCE_SCATTER] = ROW("reduce-scatter", "reduce_scatter_block",
                              "the blocks j of all, combined, to processor j", EACH, ONE,
                              reduce_scatter, COPIED, BLOCK_EACH, OPERANDS(all_ranks)),
    [KP_SCAN] = ROW("scan", "scan", "the blocks of processors 0 ... i, combined, to processor i",
                    ONE, ONE, reduction, COPIED, ONE_BLOCK, OPERANDS(up_to_own)),
    [KP_SCAN_EXCLUSIVE] =
        ROW("scan-exclusive", "exscan", "the blocks of processors 0 ... i - 1, combined, to i", ONE,
            ONE, reduction, COPIED, ONE_BLOCK, OPERANDS(before_own)),
    [KP_ONE_TO_ONE] = ROW("one-to-one", "one-to-one", "the root's block to the target", ONE, ONE,
                          broadcast, OF_ROOT, TO_TARGET, ONE_BLOCK),
    [KP_REDUCE_SCATTERV] =
        ROW("reduce-scatterv", "reduce_scatter", "reduce-scatter, with a length for every block",
            EACH, ONE, reduce_scatter, LENGTHS, COPIED, BLOCK_EACH, OPERANDS(all_ranks)),
    [KP_BARRIER] = ROW("barrier", "barrier", "the news that a processor has come, to all", ONE,
                       EACH, concat, .no_bytes = true, BLOCK_EACH),
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

int kp_operation_find(const char *name, size_t length)
{
    for (int i = 0; i < KP_OPERATIONS; i++) {
        if (kp_is_word(rows[i].name, name, length) || kp_is_word(rows[i].alias, name, length))
            return i;
    }
    return -1;
}

void kp_operation_use_mpi_name(char *text, size_t size)
{
    const size_t length = strcspn(text, ":");
    const int found = kp_operation_find(text, length);
    char rest[KP_SENTENCE_BYTES];
    if (found < 0 || !rows[found].alias)
        return;
    snprintf(rest, sizeof rest, "%s", text + length);
    snprintf(text, size, "%s%s", rows[found].alias, rest);
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

bool kp_operation_shares_result(kp_operation operation)
{
    const struct kp_operation_row *row = &rows[operation];
    if (!row->operands || row->in_holder != KP_HELD_BY_ALL)
        return false;
    struct kp_ranks first = row->operands(2, 0), second = row->operands(2, 1);
    return first.end == second.end && row->wanted(0, 0, 0).block == row->wanted(0, 1, 0).block;
}
