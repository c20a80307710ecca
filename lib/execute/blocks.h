/* This header is for calls whose blocks have lengths of their own. It declares the table in which a
 * member finds its blocks.
 *
 * These calls use the schedules for equal blocks, but a place in the schedule holds a block of any
 * length. A member's table has an entry for each place of each space (kp_space). The entry has the
 * address and the length of the block in this place. The code of the call names entries of the
 * table instead of addresses, so the same code serves all lengths. Messages are zero copy, except
 * over a wire. A receiver reads the lengths of a message's blocks in the sender's table, and then
 * copies the blocks. */
#ifndef KPORT_LIB_EXECUTE_BLOCKS_H
#define KPORT_LIB_EXECUTE_BLOCKS_H

#include "kport/layout.h"
#include "kport/schedule.h"
#include "lib/schedule/arena.h"
#include "ports/port.h"

struct kp_combiner;
struct kp_instruction;
struct kp_prepared;

/* An entry of the table. It describes the block in one place. */
struct kp_block {
    char *data; /* the address of the block */
    size_t bytes;
    /* In the incoming space: the address at which the caller wants the block. NULL: the block
     * already lies where the caller wants it. */
    char *home;
    /* The size of the memory at `home`, in bytes. A block for another member may also be stored at
     * `home` for a time, if the block fits. */
    size_t fits;
    /* The layouts of what lies at `data` and at `home`. NULL: it is contiguous. */
    const kp_layout *layout, *home_layout;
    /* Memory that the arena (kp_lengths) has given to this place, and the size of this memory. */
    char *memory;
    size_t room;
    /* 0, or 1 + the number of the processor that had no memory for the block, so that the block was
     * lost. */
    int lost_at;
};

/* The longest and the mean length of the outgoing blocks of all members, in bytes. */
struct kp_measured {
    size_t longest, mean;
};

/* What a member tells all other members when members compare lengths. In addition, it tells each
 * receiver the length of the block for this receiver. Other members may still read this struct
 * during the call. */
struct kp_sums {
    struct kp_telling telling;
    /* The length of this member's longest outgoing block, and the sum of the lengths of its
     * outgoing blocks, in bytes. */
    size_t longest, total;

    /* `told` and `all` are used only in the struct of rank 0. The first member that has computed
     * `all` stores it there. */
    _Atomic int told; /* an enum kp_told */
    struct kp_measured all;
};

enum kp_told {
    KP_UNTOLD,
    KP_BEING_TOLD,
    KP_TOLD
};

/* What a member tells the receiver of a block with a layout: its bytes, their signature, and how
 * the sender's layout is called, if the two share memory. */
struct kp_laid_sent {
    size_t bytes;
    uint64_t signature;
    const kp_layout *layout;
};

/* The tables and counters that a member keeps from one call to the next. */
struct kp_lengths {
    kp_group *member;
    struct kp_sums sums;
    /* The entries of the table, one array for each space. Before the rounds, the entries of
     * incoming blocks have the lengths that the caller expects. */
    struct kp_block *blocks[KP_SPACES];
    size_t places[KP_SPACES], capacity[KP_SPACES];
    struct kp_arena arena;
    /* In calls with layouts: for each outgoing block what its receiver is told, and the signatures
     * that are expected of incoming blocks. */
    struct kp_laid_sent *laid[2];
    size_t laid_capacity[2];
    void *ranges; /* memory that the search for overlapping blocks uses */
    size_t range_capacity;

    /* The fields from `all` to `lost` belong to the current call. */
    struct kp_measured all;
    char *stream;         /* over a wire: the address of the next byte to pack or to unpack */
    size_t element_bytes; /* in a reduction: the bytes of an element */
    /* In some algorithms the length of a block travels with the block. C2 counts this many bytes
     * for each such length. 0: the algorithm sends no lengths. */
    size_t length_bytes;
    uint64_t message; /* the length of the current message so far, in bytes */
    /* The length of the longest message of the current round so far, and the C2 of all earlier
     * rounds. */
    uint64_t longest, c2;
    /* A block that this processor has lost, or does not get because another processor has lost it.
     */
    struct kp_block lost;

    /* In a persistent plan: the call that the plan prepared last. In a plain call: NULL. */
    struct kp_prepared *kept;

    /* The latest choice of an algorithm: the problem that was asked for, the problem with the
     * chosen algorithm, and the lengths for which it was chosen. */
    kp_problem asked, chosen;
    struct kp_measured chosen_for;
    uint64_t chosen_operator; /* kp_call_operator of the problem, or 0 */
};

/* Makes the kp_lengths of a member, with an empty table. Returns NULL if there is no memory. */
struct kp_lengths *kp_lengths_create(kp_group *member);
void kp_lengths_free(struct kp_lengths *lengths);

/* Returns memory for `count` items of `size` bytes. `items` has room for `*capacity` items. If that
 * is too little, the function allocates new memory and frees `items`, and the old items are lost.
 * If there is no memory, it returns NULL and `items` stays. */
void *kp_lengths_room(void *items, size_t *capacity, size_t count, size_t size);

/* Makes `places` empty entries in the table, for one space, in place of this space's old entries.
 * Returns false if there is no memory. */
bool kp_lengths_make(struct kp_lengths *lengths, kp_space space, size_t places);

/* These functions are for messages over a wire. `kp_blocks_at_most` returns the largest possible
 * length, in bytes, of a message of `blocks` blocks. `kp_blocks_counted` returns the length of the
 * message of `blocks` blocks whose lengths have just been added up (KP_COUNT_BLOCKS), and sets the
 * sum to 0. */
size_t kp_blocks_at_most(const struct kp_lengths *own, uint64_t blocks);
size_t kp_blocks_counted(struct kp_lengths *own, uint64_t blocks);

/* Carries out one instruction for blocks with lengths of their own. */
void kp_carry_out_blocks(const struct kp_instruction *i, char *to, const char *from,
                         struct kp_lengths *own);

/* Carries out one instruction that combines such a block. `operand` is the entry of the member's
 * operand. */
void kp_combine_blocks(const struct kp_instruction *i, char *to, const char *operand,
                       const char *from, const struct kp_combiner *combiner);

/* `kp_blocks_begin` sets the counters of a call to 0, after the members have agreed on all lengths.
 * `kp_blocks_end` gets the status of the call. If the call has not failed, the function adds the C2
 * of the call to the member's C2, and reports a lost block as an error. It returns 0, or the status
 * of an error; the error's sentence is set. */
void kp_blocks_begin(struct kp_lengths *own, size_t length_bytes);
int kp_blocks_end(struct kp_lengths *own, int status);

#endif
