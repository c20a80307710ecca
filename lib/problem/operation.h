/* The operations: one row each, and everything that differs between them stands in it. */
#ifndef KPORT_LIB_OPERATION_H
#define KPORT_LIB_OPERATION_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <string.h>

/* How many blocks a space of the caller holds. */
enum kp_blocks {
    KP_BLOCK_ONE,  /* the processor's own */
    KP_BLOCK_EACH, /* one for every processor */
};

/* Who has a buffer: a space of the others is empty. */
enum kp_holder {
    KP_HELD_BY_ALL,
    KP_HELD_BY_ROOT,
    KP_HELD_BY_TARGET,
};

/* Processors first ... end - 1. */
struct kp_ranks {
    int first, end;
};

/* What a lower bound of C2 has to count. */
enum kp_traffic {
    KP_TRAFFIC_BLOCK_EACH, /* a block between each processor, or the root, and each other */
    KP_TRAFFIC_BLOCK_ONE,  /* a block into, or out of, some processor */
    KP_TRAFFIC_GOSSIP,     /* every unit of a block collected from all and told to all */
};

/* A block as it was before the operation: `block` of the outgoing buffer of `rank`. */
struct kp_origin {
    int rank;
    int block;
};

struct kp_operation_row {
    const char *name;
    const char *alias;   /* what MPI calls it */
    const char *summary; /* one line */
    enum kp_blocks out, in;
    enum kp_holder out_holder, in_holder;
    bool one_buffer;      /* the root's outgoing buffer is its incoming one */
    bool copied_in_place; /* KP_IN_PLACE needs a copy of what lies in the incoming buffer */
    enum kp_traffic traffic;
    bool lengths; /* every block has a length of its own */
    /* What the operation wants in block `block` of the incoming buffer of `rank`. */
    struct kp_origin (*wanted)(int root, int rank, int block);
    /* Of a reduction: whose blocks, instead of one processor's, are combined there. */
    struct kp_ranks (*operands)(int n, int rank);
};

/* NULL for a number that is none. */
const struct kp_operation_row *kp_operation_row(kp_operation operation);

/* Whether a name, not zero-terminated, is that word; NULL is none. */
static inline bool kp_is_word(const char *word, const char *name, size_t length)
{
    return word && strlen(word) == length && memcmp(word, name, length) == 0;
}

/* The operation of that name or alias, not zero-terminated; -1 if there is none. */
int kp_operation_find(const char *name, size_t length);

/* `space` is KP_OUT or KP_IN. */
enum kp_blocks kp_operation_blocks(kp_operation operation, kp_space space);

/* Whether the operation has a root, or a target; whether `rank` has a buffer of its own in that
 * space. */
bool kp_operation_has_root(kp_operation operation);
bool kp_operation_reduces(kp_operation operation);
bool kp_operation_has_target(kp_operation operation);
bool kp_operation_holds(const kp_problem *problem, int rank, kp_space space);

#endif
