#include "tools/kport/run/part.h"

#include "lib/problem/operation.h"
#include "lib/problem/operator.h"
#include "tools/kport/run/reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD_BYTES 64
#define GUARD       REFERENCE_GAP

/* --- Buffers with guards --- */

static size_t room_for(size_t bytes)
{
    return (bytes + 2 * GUARD_BYTES + 63) / 64 * 64;
}

static unsigned char *guarded(size_t bytes, unsigned char *memory)
{
    if (!memory)
        memory = malloc(room_for(bytes));
    if (!memory)
        return NULL;
    memset(memory, GUARD, bytes + 2 * GUARD_BYTES);
    return memory + GUARD_BYTES;
}

static void release(unsigned char *data)
{
    if (data)
        free(data - GUARD_BYTES);
}

static bool guards_intact(const unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < GUARD_BYTES; i++) {
        if (data[-1 - (ptrdiff_t)i] != GUARD || data[bytes + i] != GUARD)
            return false;
    }
    return true;
}

/* --- Making --- */

static bool has_lengths(const kp_problem *p)
{
    return kp_operation_row(p->operation)->lengths;
}

/* Allocates the lengths and places of this processor's blocks only: in a scatter, n entries at each
 * of n processors would be too many. There is at least one entry, because calls with one block read
 * entry 0. */
static bool lengths_make(struct part *part)
{
    const kp_problem *p = part->problem;
    size_t out = reference_out_blocks(p, part->rank), in = reference_in_blocks(p, part->rank);
    out = out > 0 ? out : 1;
    in = in > 0 ? in : 1;
    part->numbers = calloc(2 * out + 2 * in, sizeof *part->numbers);
    if (!part->numbers)
        return false;
    part->out_counts = part->numbers;
    part->out_displacements = part->out_counts + out;
    part->in_counts = part->out_displacements + out;
    part->in_displacements = part->in_counts + in;
    reference_lengths(p, part->seed, part->rank, false, part->out_counts, part->out_displacements);
    reference_lengths(p, part->seed, part->rank, true, part->in_counts, part->in_displacements);
    return true;
}

/* A call with one block has no displacement, so its place is added to the address of the buffer. */
static void lay_arguments(struct part *part)
{
    const kp_problem *p = part->problem;
    bool scatters = p->operation == KP_SCATTER || p->operation == KP_SCATTERV;
    bool one_out = p->operation == KP_CONCATV || p->operation == KP_GATHERV;
    bool one_in = p->operation == KP_SCATTERV;
    part->call_out = part->out + (one_out ? part->out_displacements[0] : 0);
    part->call_in = part->in + (one_in ? part->in_displacements[0] : 0);
    if (part->in_place && scatters)
        part->call_in = KP_IN_PLACE;
    else if (part->in_place)
        part->call_out = KP_IN_PLACE;
    if (kp_operation_row(p->operation)->one_buffer)
        part->call_out = NULL;
}

static size_t in_bytes_of(const kp_problem *p, uint64_t seed, int rank)
{
    /* In place the incoming buffer has the operands. */
    bool operands = p->in_place && p->operation == KP_REDUCE_SCATTER;
    size_t in = reference_bytes(p, seed, rank, true), out = reference_bytes(p, seed, rank, false);
    return operands ? out : in;
}

size_t part_room(const kp_problem *problem, uint64_t seed, int rank)
{
    return room_for(reference_bytes(problem, seed, rank, false)) +
           room_for(in_bytes_of(problem, seed, rank));
}

bool part_make(struct part *part, const kp_problem *problem, uint64_t seed, int rank)
{
    return part_make_in(part, problem, seed, rank, NULL);
}

bool part_make_in(struct part *part, const kp_problem *problem, uint64_t seed, int rank,
                  unsigned char *memory)
{
    const kp_problem *p = problem;
    *part = (struct part){
        .problem = p,
        .seed = seed,
        .rank = rank,
        .out_bytes = reference_bytes(p, seed, rank, false),
        .in_bytes = in_bytes_of(p, seed, rank),
        .lent = memory != NULL,
        .in_place = p->in_place && (!kp_operation_has_root(p->operation) || rank == p->root),
        .b = p->b,
        .count = (size_t)kp_elements(p),
        .type = p->type,
        .op = p->op,
        .root = p->root,
        .target = p->target,
        .hints = {.algorithm = p->algorithm},
    };
    memcpy(part->hints.values, p->values, sizeof part->hints.values);
    part->out = guarded(part->out_bytes, memory);
    part->in = guarded(part->in_bytes, memory ? memory + room_for(part->out_bytes) : NULL);
    if (!part->out || !part->in || (has_lengths(p) && !lengths_make(part)))
        return false;
    part->call_hints = &part->hints;
    lay_arguments(part);
    reference_fill_out(p, seed, rank, part->out);
    return true;
}

void part_free(struct part *part)
{
    if (!part->lent) {
        release(part->out);
        release(part->in);
    }
    free(part->numbers);
    *part = (struct part){.problem = NULL};
}

void part_spoil(struct part *part)
{
    reference_spoil_in(part->problem, part->seed, part->rank, part->results, part->in);
    if (kp_operation_row(part->problem->operation)->one_buffer && part->rank == part->problem->root)
        memcpy(part->in, part->out, part->in_bytes); /* the root's data before the call */
    else if (part->in_place)
        reference_fill_in_place(part->problem, part->seed, part->rank, part->in);
}

/* --- Calling --- */

static int call_index(kp_group *group, const struct part *a)
{
    return kp_index(group, a->call_out, a->call_in, a->b, a->call_hints);
}

static int call_concat(kp_group *group, const struct part *a)
{
    return kp_concat(group, a->call_out, a->call_in, a->b, a->call_hints);
}

static int call_broadcast(kp_group *group, const struct part *a)
{
    return kp_broadcast(group, a->call_in, a->b, a->root, a->call_hints);
}

static int call_scatter(kp_group *group, const struct part *a)
{
    return kp_scatter(group, a->call_out, a->call_in, a->b, a->root, a->call_hints);
}

static int call_gather(kp_group *group, const struct part *a)
{
    return kp_gather(group, a->call_out, a->call_in, a->b, a->root, a->call_hints);
}

static int call_one_to_one(kp_group *group, const struct part *a)
{
    return kp_one_to_one(group, a->call_out, a->call_in, a->b, a->root, a->target, a->call_hints);
}

static int call_indexv(kp_group *group, const struct part *a)
{
    return kp_indexv(group, a->call_out, a->out_counts, a->out_displacements, a->call_in,
                     a->in_counts, a->in_displacements, a->call_hints);
}

static int call_concatv(kp_group *group, const struct part *a)
{
    return kp_concatv(group, a->call_out, a->out_counts[0], a->call_in, a->in_counts,
                      a->in_displacements, a->call_hints);
}

static int call_scatterv(kp_group *group, const struct part *a)
{
    return kp_scatterv(group, a->call_out, a->out_counts, a->out_displacements, a->call_in,
                       a->in_counts[0], a->root, a->call_hints);
}

static int call_gatherv(kp_group *group, const struct part *a)
{
    return kp_gatherv(group, a->call_out, a->out_counts[0], a->call_in, a->in_counts,
                      a->in_displacements, a->root, a->call_hints);
}

static int call_reduce(kp_group *group, const struct part *a)
{
    return kp_reduce(group, a->call_out, a->call_in, a->count, a->type, a->op, a->root,
                     a->call_hints);
}

/* The other reductions have equal arguments. */
#define REDUCTION(name)                                                                            \
    static int call_##name(kp_group *group, const struct part *a)                                  \
    {                                                                                              \
        return kp_##name(group, a->call_out, a->call_in, a->count, a->type, a->op, a->call_hints); \
    }
REDUCTION(allreduce)
REDUCTION(reduce_scatter)
REDUCTION(scan)
REDUCTION(scan_exclusive)

static part_function *const calls_of[KP_OPERATIONS] = {
    [KP_INDEX] = call_index,
    [KP_CONCAT] = call_concat,
    [KP_BROADCAST] = call_broadcast,
    [KP_SCATTER] = call_scatter,
    [KP_GATHER] = call_gather,
    [KP_INDEXV] = call_indexv,
    [KP_CONCATV] = call_concatv,
    [KP_SCATTERV] = call_scatterv,
    [KP_GATHERV] = call_gatherv,
    [KP_REDUCE] = call_reduce,
    [KP_ALLREDUCE] = call_allreduce,
    [KP_REDUCE_SCATTER] = call_reduce_scatter,
    [KP_SCAN] = call_scan,
    [KP_SCAN_EXCLUSIVE] = call_scan_exclusive,
    [KP_ONE_TO_ONE] = call_one_to_one,
};

int part_call(const struct part *part, kp_group *group)
{
    return calls_of[part->problem->operation](group, part);
}

part_function *part_function_of(const kp_problem *problem)
{
    return calls_of[problem->operation];
}

kp_arguments part_arguments(const struct part *part)
{
    const kp_problem *p = part->problem;
    bool reduces = kp_operation_reduces(p->operation), lengths = has_lengths(p);
    kp_arguments a = {.operation = p->operation,
                      .out = part->call_out,
                      .in = part->call_in,
                      .root = part->root,
                      .to = part->target,
                      .hints = part->call_hints};
    if (reduces) {
        a.count = part->count;
        a.type = part->type;
        a.op = part->op;
    } else if (!lengths) {
        a.b = part->b;
    } else if (p->operation == KP_CONCATV || p->operation == KP_GATHERV) {
        a.out_bytes = part->out_counts[0];
    } else if (p->operation == KP_SCATTERV) {
        a.in_bytes = part->in_counts[0];
    }
    if (p->operation == KP_INDEXV || p->operation == KP_SCATTERV) {
        a.out_counts = part->out_counts;
        a.out_displacements = part->out_displacements;
    }
    if (lengths && p->operation != KP_SCATTERV) {
        a.in_counts = part->in_counts;
        a.in_displacements = part->in_displacements;
    }
    return a;
}

/* --- Comparing --- */

bool part_is_untouched(const struct part *part)
{
    return reference_out_intact(part->problem, part->seed, part->rank, part->out) &&
           guards_intact(part->in, part->in_bytes) && guards_intact(part->out, part->out_bytes);
}

bool part_is_wrong(const struct part *part, char *text, size_t size)
{
    int64_t wrong =
        reference_first_wrong(part->problem, part->seed, part->rank, part->results, part->in);
    if (wrong >= 0)
        snprintf(text, size, "byte %" PRId64 " of the incoming buffer is wrong", wrong);
    else if (!reference_out_intact(part->problem, part->seed, part->rank, part->out))
        snprintf(text, size, "the outgoing buffer was changed");
    else if (!part_is_untouched(part))
        snprintf(text, size, "bytes beside a buffer were changed");
    else
        return false;
    return true;
}
