/* The executor for operations whose blocks have lengths of their own.
 *
 * The schedules are those for equal blocks, and a place holds a block of any length. Every
 * processor keeps a table: for each place of each space where its block lies and how long it is.
 * Messages stay where they are; a receiver reads the lengths of a message's blocks in its sender's
 * table and then copies the blocks. */
#ifndef KPORT_LIB_EXECUTE_LENGTHS_H
#define KPORT_LIB_EXECUTE_LENGTHS_H

#include "lib/arena.h"
#include "lib/schedule_data.h"
#include "ports/port.h"

struct kp_prepared;

/* The space of kp_port_show that holds the table. */
#define KP_SHOWN_TABLE KP_SPACES

/* The block in a place. */
struct kp_block {
    char *data; /* where it lies */
    size_t bytes;
    char *memory; /* of the arena, taken for this place, and how much it is */
    size_t room;
    int lost_at; /* 0, or 1 + the number of the processor that had no memory for it on its way */
};

/* Where a block of the incoming buffer belongs. */
struct kp_home {
    char *data;
    size_t bytes;
};

/* What the others read of a member: lengths and places before the first pass of the preliminary
 * call, scratch before that of the operation itself. */
struct kp_block_table {
    struct kp_block *blocks[KP_SPACES];
    size_t longest, total; /* of the outgoing blocks, in bytes */

    /* Rank 0's: the longest of all members' outgoing blocks, and their mean. One member looks at
     * all tables and tells the others here. */
    _Atomic int told; /* enum kp_told */
    size_t all_longest, all_mean;
};

enum kp_told {
    KP_UNTOLD,
    KP_BEING_TOLD,
    KP_TOLD
};

/* What a seat keeps from call to call. */
struct kp_lengths {
    struct kp_block_table table;
    struct kp_home *homes; /* of the incoming blocks */
    size_t places[KP_SPACES];
    size_t capacity[KP_SPACES], home_capacity;
    struct kp_arena arena;
    void *ranges; /* room to look for blocks that overlap */
    size_t range_capacity;

    /* Of a persistent plan: what served last; NULL elsewhere. */
    struct kp_prepared *kept;

    /* The latest choice of an algorithm: what was asked, for which lengths, and what came out. */
    kp_problem asked, chosen;
    size_t chosen_longest, chosen_mean;
};

void kp_lengths_free(struct kp_lengths *lengths);

/* Room for `count` items of `size` bytes where there was room for `*capacity`; NULL, with what
 * there was still in place, if there is no memory. */
void *kp_lengths_room(void *items, size_t *capacity, size_t count, size_t size);

/* Makes the places of a space, all empty. False: there is no memory. */
bool kp_lengths_make(struct kp_lengths *lengths, kp_space space, size_t places);

/* Carry out a prepared call, whose outgoing blocks and homes are laid out and agreed upon, and show
 * the table. `subject` is for reports. 0, or the status of the error that is set at the processor.
 *
 * The second one pads all blocks to the longest, call->problem.b, and does the operation of equal
 * blocks that the schedule was written for. */
int kp_execute_lengths(kp_group *seat, struct kp_prepared *call, struct kp_lengths *own,
                       void (*describe)(const void *subject, char *text, size_t size),
                       const void *subject);
int kp_execute_padded(kp_group *seat, struct kp_prepared *call, struct kp_lengths *own,
                      void (*describe)(const void *subject, char *text, size_t size),
                      const void *subject);

#endif
