/* This header declares the table of the collective operations. The row of an operation says
 * everything in which it differs from other operations. */
#ifndef KPORT_LIB_OPERATION_H
#define KPORT_LIB_OPERATION_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <string.h>

/* How many blocks a buffer of the caller has. */
enum kp_blocks {
    KP_BLOCK_ONE,  /* one block: the processor's own */
    KP_BLOCK_EACH, /* n blocks: one for each processor */
};

/* Which processors have a buffer. For all other processors the space of this buffer is empty. */
enum kp_holder {
    KP_HELD_BY_ALL,
    KP_HELD_BY_ROOT,
    KP_HELD_BY_TARGET,
};

/* The processors first ... end - 1. */
struct kp_ranks {
    int first, end;
};

/* Which traffic the lower bound of C2 counts. */
enum kp_traffic {
    /* A block moves between each two processors, or between the root and each other processor. */
    KP_TRAFFIC_BLOCK_EACH,
    KP_TRAFFIC_BLOCK_ONE, /* at most one block moves into or out of a processor */
    /* Each byte of the result combines bytes of all processors, and goes to all processors. */
    KP_TRAFFIC_GOSSIP,
};

/* A block as it is before the operation: block `block` of the outgoing buffer of `rank`. */
struct kp_origin {
    int rank;
    int block;
};

struct kp_operation_row {
    const char *name;
    const char *alias;   /* the name of the operation in MPI */
    const char *summary; /* a description in one line */
    enum kp_blocks out, in;
    enum kp_holder out_holder, in_holder;
    bool one_buffer;      /* the root's outgoing buffer is also its incoming buffer */
    bool copied_in_place; /* with KP_IN_PLACE, the rounds read a copy of the incoming buffer */
    enum kp_traffic traffic;
    bool lengths;  /* every block has a length of its own */
    bool no_bytes; /* a block is the news that its processor has come, and has no bytes */
    /* Returns which block belongs at position `block` of the incoming buffer of `rank`. */
    struct kp_origin (*wanted)(int root, int rank, int block);
    /* Returns the processors whose blocks are combined at `rank`. NULL if the operation is no
     * reduction. */
    struct kp_ranks (*operands)(int n, int rank);
};

/* Returns the row of an operation. Returns NULL for a number that is no operation. */
const struct kp_operation_row *kp_operation_row(kp_operation operation);

/* Returns whether the `length` bytes at `name` equal `word`. Returns false if `word` is NULL. */
static inline bool kp_is_word(const char *word, const char *name, size_t length)
{
    return word && strlen(word) == length && memcmp(word, name, length) == 0;
}

/* Returns the operation with this name or alias, or -1. `name` has `length` bytes and no final
 * zero. */
int kp_operation_find(const char *name, size_t length);

/* Replaces the operation's name at the beginning of a problem's text by its name in MPI. A text
 * that becomes too long is cut. */
void kp_operation_use_mpi_name(char *text, size_t size);

/* Returns the bytes of a block: `b`, or 0 if the operation moves none. */
static inline size_t kp_block_bytes(kp_operation operation, size_t b)
{
    return kp_operation_row(operation)->no_bytes ? 0 : b;
}

/* Returns how many blocks the outgoing or the incoming buffer has. `space` is KP_OUT or KP_IN. */
enum kp_blocks kp_operation_blocks(kp_operation operation, kp_space space);

/* The first three functions return whether the operation has a root, combines blocks, or has a
 * target. `kp_operation_holds` returns whether `rank` has a buffer of its own for a space. */
bool kp_operation_has_root(kp_operation operation);
bool kp_operation_reduces(kp_operation operation);
bool kp_operation_has_target(kp_operation operation);
bool kp_operation_holds(const kp_problem *problem, int rank, kp_space space);

/* Returns whether all processors get the same block of combined operands. */
bool kp_operation_shares_result(kp_operation operation);

#endif
