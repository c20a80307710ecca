/* The operations. The kp_operation_row of each has everything in which operations differ. */
#ifndef KPORT_LIB_OPERATION_H
#define KPORT_LIB_OPERATION_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <string.h>

/* How many blocks a buffer of the caller has. */
enum kp_blocks {
    KP_BLOCK_ONE,  /* the processor's own block */
    KP_BLOCK_EACH, /* a block for every processor */
};

/* Which processors have a buffer. At other processors the space is empty. */
enum kp_holder {
    KP_HELD_BY_ALL,
    KP_HELD_BY_ROOT,
    KP_HELD_BY_TARGET,
};

/* The processors first ... end - 1. */
struct kp_ranks {
    int first, end;
};

/* What the lower bound of C2 counts. */
enum kp_traffic {
    KP_TRAFFIC_BLOCK_EACH, /* a block between each processor, or the root, and each other one */
    KP_TRAFFIC_BLOCK_ONE,  /* a block into or out of one processor */
    KP_TRAFFIC_GOSSIP,     /* every unit of a block from all processors, and to all of them */
};

/* The block `block` of the outgoing buffer of `rank`, before the operation. */
struct kp_origin {
    int rank;
    int block;
};

struct kp_operation_row {
    const char *name;
    const char *alias;   /* MPI's name */
    const char *summary; /* one line */
    enum kp_blocks out, in;
    enum kp_holder out_holder, in_holder;
    bool one_buffer;      /* the root's outgoing buffer is its incoming buffer */
    bool copied_in_place; /* KP_IN_PLACE needs a copy of the incoming buffer */
    enum kp_traffic traffic;
    bool lengths; /* every block has a length of its own */
    /* Returns which block the operation wants in place `block` of the incoming buffer of `rank`. */
    struct kp_origin (*wanted)(int root, int rank, int block);
    /* For a reduction: returns the processors whose blocks are combined there. NULL otherwise. */
    struct kp_ranks (*operands)(int n, int rank);
};

/* Returns NULL for a number that is no operation. */
const struct kp_operation_row *kp_operation_row(kp_operation operation);

/* Returns whether `name`, which is not zero-terminated, is `word`. NULL is no name. */
static inline bool kp_is_word(const char *word, const char *name, size_t length)
{
    return word && strlen(word) == length && memcmp(word, name, length) == 0;
}

/* Returns the operation with that name or alias, which is not zero-terminated, or -1. */
int kp_operation_find(const char *name, size_t length);

/* Returns how many blocks a space has. `space` is KP_OUT or KP_IN. */
enum kp_blocks kp_operation_blocks(kp_operation operation, kp_space space);

/* The first three return whether the operation has a root, combines, or has a target. `holds`
 * returns whether `rank` has a buffer of its own for a space. */
bool kp_operation_has_root(kp_operation operation);
bool kp_operation_reduces(kp_operation operation);
bool kp_operation_has_target(kp_operation operation);
bool kp_operation_holds(const kp_problem *problem, int rank, kp_space space);

#endif
