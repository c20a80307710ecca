#include "tools/kport/run/part.h"

#include "lib/problem/operation.h"
#include "lib/schedule/elements.h"
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

kp_arguments part_arguments(const kp_problem *problem)
{
    const kp_problem *p = problem;
    kp_arguments a = {.operation = p->operation, .root = p->root, .to = p->target};
    if (kp_operation_reduces(p->operation)) {
        a.count = (size_t)kp_elements(p);
        a.type = p->type;
        a.op = p->op ? p->op : KP_SUM;
    } else if (!kp_operation_row(p->operation)->lengths) {
        a.b = p->b;
    }
    return a;
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
    size_t *out_counts = part->numbers, *out_displacements = out_counts + out;
    size_t *in_counts = out_displacements + out, *in_displacements = in_counts + in;
    reference_lengths(p, part->seed, part->rank, false, out_counts, out_displacements);
    reference_lengths(p, part->seed, part->rank, true, in_counts, in_displacements);
    kp_arguments *a = &part->arguments;
    a->out_counts = out_counts;
    a->out_displacements = out_displacements;
    a->out_bytes = out_counts[0];
    a->in_counts = in_counts;
    a->in_displacements = in_displacements;
    a->in_bytes = in_counts[0];
    return true;
}

/* A call with one block has no displacement, so its place is added to the address of the buffer. */
static void lay_buffers(struct part *part)
{
    kp_operation operation = part->problem->operation;
    const struct kp_operation_row *row = kp_operation_row(operation);
    bool one_out = row->lengths && row->out == KP_BLOCK_ONE;
    bool one_in = row->lengths && row->in == KP_BLOCK_ONE;
    kp_arguments *a = &part->arguments;
    a->out = part->out + (one_out ? a->out_displacements[0] : 0);
    a->in = part->in + (one_in ? a->in_displacements[0] : 0);
    if (part->in_place && (operation == KP_SCATTER || operation == KP_SCATTERV))
        a->in = KP_IN_PLACE;
    else if (part->in_place)
        a->out = KP_IN_PLACE;
    if (row->one_buffer)
        a->out = NULL;
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
        .arguments = part_arguments(p),
        .hints = {.algorithm = p->algorithm},
    };
    memcpy(part->hints.values, p->values, sizeof part->hints.values);
    part->out = guarded(part->out_bytes, memory);
    part->in = guarded(part->in_bytes, memory ? memory + room_for(part->out_bytes) : NULL);
    bool lengths = kp_operation_row(p->operation)->lengths;
    if (!part->out || !part->in || (lengths && !lengths_make(part)))
        return false;
    part->arguments.hints = &part->hints;
    lay_buffers(part);
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
