#include "tools/kport/run/participant.h"

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

kp_arguments participant_arguments(const kp_problem *problem)
{
    const kp_problem *p = problem;
    kp_arguments a = {.operation = p->operation, .root = p->root, .to = p->target};
    if (kp_operation_reduces(p->operation)) {
        a.count = kp_operation_row(p->operation)->lengths ? 0 : (size_t)kp_elements(p);
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
static bool lengths_make(struct participant *participant)
{
    const kp_problem *p = participant->problem;
    size_t out = reference_out_blocks(p, participant->rank),
           in = reference_in_blocks(p, participant->rank);
    out = out > 0 ? out : 1;
    in = in > 0 ? in : 1;
    participant->numbers = calloc(2 * out + 2 * in, sizeof *participant->numbers);
    if (!participant->numbers)
        return false;
    size_t *out_counts = participant->numbers, *out_displacements = out_counts + out;
    size_t *in_counts = out_displacements + out, *in_displacements = in_counts + in;
    reference_lengths(p, participant->seed, participant->rank, false, out_counts,
                      out_displacements);
    reference_lengths(p, participant->seed, participant->rank, true, in_counts, in_displacements);
    kp_arguments *a = &participant->arguments;
    a->out_counts = out_counts;
    a->out_displacements = out_displacements;
    a->out_bytes = out_counts[0];
    a->in_counts = in_counts;
    a->in_displacements = in_displacements;
    a->in_bytes = in_counts[0];
    if (!kp_operation_reduces(p->operation))
        return true;
    for (size_t i = 0; i < out; i++)
        out_counts[i] /= kp_element_bytes(p);
    a->out_displacements = a->in_counts = a->in_displacements = NULL;
    a->out_bytes = a->in_bytes = 0;
    return true;
}

/* A call with one block has no displacement, so its place is added to the address of the buffer. */
static void lay_buffers(struct participant *participant)
{
    kp_operation operation = participant->problem->operation;
    const struct kp_operation_row *row = kp_operation_row(operation);
    kp_arguments *a = &participant->arguments;
    bool one_out = a->out_displacements && row->out == KP_BLOCK_ONE;
    bool one_in = a->in_displacements && row->in == KP_BLOCK_ONE;
    a->out = participant->out + (one_out ? a->out_displacements[0] : 0);
    a->in = participant->in + (one_in ? a->in_displacements[0] : 0);
    if (participant->in_place && (operation == KP_SCATTER || operation == KP_SCATTERV))
        a->in = KP_IN_PLACE;
    else if (participant->in_place)
        a->out = KP_IN_PLACE;
    if (row->one_buffer)
        a->out = NULL;
}

static size_t in_bytes_of(const kp_problem *p, uint64_t seed, int rank)
{
    /* In place the incoming buffer has the operands. */
    bool operands =
        p->in_place && (p->operation == KP_REDUCE_SCATTER || p->operation == KP_REDUCE_SCATTERV);
    size_t in = reference_bytes(p, seed, rank, true), out = reference_bytes(p, seed, rank, false);
    return operands ? out : in;
}

size_t participant_room(const kp_problem *problem, uint64_t seed, int rank)
{
    return room_for(reference_bytes(problem, seed, rank, false)) +
           room_for(in_bytes_of(problem, seed, rank));
}

bool participant_make(struct participant *participant, const kp_problem *problem, uint64_t seed,
                      int rank)
{
    return participant_make_in(participant, problem, seed, rank, NULL);
}

bool participant_make_in(struct participant *participant, const kp_problem *problem, uint64_t seed,
                         int rank, unsigned char *memory)
{
    const kp_problem *p = problem;
    *participant = (struct participant){
        .problem = p,
        .seed = seed,
        .rank = rank,
        .out_bytes = reference_bytes(p, seed, rank, false),
        .in_bytes = in_bytes_of(p, seed, rank),
        .lent = memory != NULL,
        .in_place = p->in_place && (!kp_operation_has_root(p->operation) || rank == p->root),
        .arguments = participant_arguments(p),
        .hints = {.algorithm = p->algorithm},
    };
    memcpy(participant->hints.values, p->values, sizeof participant->hints.values);
    participant->out = guarded(participant->out_bytes, memory);
    participant->in =
        guarded(participant->in_bytes, memory ? memory + room_for(participant->out_bytes) : NULL);
    bool lengths = kp_operation_row(p->operation)->lengths;
    if (!participant->out || !participant->in || (lengths && !lengths_make(participant)))
        return false;
    participant->arguments.hints = &participant->hints;
    lay_buffers(participant);
    reference_fill_out(p, seed, rank, participant->out);
    return true;
}

void participant_free(struct participant *participant)
{
    if (!participant->lent) {
        release(participant->out);
        release(participant->in);
    }
    free(participant->numbers);
    *participant = (struct participant){.problem = NULL};
}

void participant_spoil(struct participant *participant)
{
    reference_spoil_in(participant->problem, participant->seed, participant->rank,
                       participant->results, participant->in);
    if (kp_operation_row(participant->problem->operation)->one_buffer &&
        participant->rank == participant->problem->root)
        memcpy(participant->in, participant->out,
               participant->in_bytes); /* the root's data before the call */
    else if (participant->in_place)
        reference_fill_in_place(participant->problem, participant->seed, participant->rank,
                                participant->in);
}

/* --- Comparing --- */

bool participant_is_untouched(const struct participant *participant)
{
    return reference_out_intact(participant->problem, participant->seed, participant->rank,
                                participant->out) &&
           guards_intact(participant->in, participant->in_bytes) &&
           guards_intact(participant->out, participant->out_bytes);
}

bool participant_is_wrong(const struct participant *participant, char *text, size_t size)
{
    int64_t wrong = reference_first_wrong(participant->problem, participant->seed,
                                          participant->rank, participant->results, participant->in);
    if (wrong >= 0)
        snprintf(text, size, "byte %" PRId64 " of the incoming buffer is wrong", wrong);
    else if (!reference_out_intact(participant->problem, participant->seed, participant->rank,
                                   participant->out))
        snprintf(text, size, "the outgoing buffer was changed");
    else if (!participant_is_untouched(participant))
        snprintf(text, size, "bytes beside a buffer were changed");
    else
        return false;
    return true;
}
