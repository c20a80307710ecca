/* Blocks with lengths of their own, and the table in which a member finds these blocks.
 *
 * These calls use the schedules for equal blocks. Here a place of a schedule holds a block of any
 * length. The table has an entry for each place of each space: the address of the block and its
 * length. Code names entries of the table instead of bytes of a buffer, so the same code serves all
 * lengths. Messages are zero copy: a receiver reads the lengths of a message's blocks in its
 * sender's table, and then copies the blocks. */
#ifndef KPORT_LIB_EXECUTE_BLOCKS_H
#define KPORT_LIB_EXECUTE_BLOCKS_H

#include "kport/schedule.h"
#include "lib/schedule/arena.h"
#include "ports/port.h"

struct kp_instruction;
struct kp_prepared;

/* An entry of the table: the block in one place. */
struct kp_block {
    char *data; /* the block's address */
    size_t bytes;
    /* In the incoming space: where the caller wants the block. NULL: it lies there already. */
    char *home;
    /* The bytes at `home`. A block that only passes through may also lie at `home` if it fits. */
    size_t fits;
    /* Memory from the arena for this place, and its size in bytes. */
    char *memory;
    size_t room;
    int lost_at; /* 0, or 1 + the number of the processor that lost the block for lack of memory */
};

/* The longest and the mean length of all members' outgoing blocks, in bytes. */
struct kp_measured {
    size_t longest, mean;
};

/* What a member tells all other members when they compare lengths. The member also tells each
 * receiver the length of its block. Other members may still read this struct during the call. */
struct kp_sums {
    struct kp_telling telling;
    size_t longest, total; /* the longest outgoing block, and the sum of all, in bytes */

    /* `told` and `all` are used only in rank 0's struct. The first member that has computed `all`
     * stores it there. */
    _Atomic int told; /* an enum kp_told */
    struct kp_measured all;
};

enum kp_told {
    KP_UNTOLD,
    KP_BEING_TOLD,
    KP_TOLD
};

/* The tables and counters that a member keeps from call to call. */
struct kp_lengths {
    kp_group *member;
    struct kp_sums sums;
    /* The table. Before the call is carried out, its incoming blocks have the expected lengths. */
    struct kp_block *blocks[KP_SPACES];
    size_t places[KP_SPACES], capacity[KP_SPACES];
    struct kp_arena arena;
    void *ranges; /* memory for the search for blocks that overlap */
    size_t range_capacity;

    /* The fields up to `lost` concern the call under way. */
    struct kp_measured all;
    char *stream;        /* the next byte to pack or unpack in a message over a wire */
    size_t length_bytes; /* the bytes that the length of one block takes in a message */
    uint64_t message;    /* the bytes of the current message so far */
    /* The longest message of the round so far, and C2 of the rounds before. */
    uint64_t longest, c2;
    struct kp_block lost; /* a block that this processor has lost, or does not get */

    /* The latest call that a persistent plan prepared. NULL in a plain call. */
    struct kp_prepared *kept;

    /* The latest choice of an algorithm: the problem asked for, the lengths, the choice. */
    kp_problem asked, chosen;
    struct kp_measured chosen_for;
};

/* Returns NULL if there is no memory. */
struct kp_lengths *kp_lengths_create(kp_group *member);
void kp_lengths_free(struct kp_lengths *lengths);

/* Makes room for `count` items of `size` bytes. `*capacity` is the number of items that fit
 * already. The old contents may be lost. Returns NULL if there is no memory; the old items
 * then stay. */
void *kp_lengths_room(void *items, size_t *capacity, size_t count, size_t size);

/* Makes `places` empty places in a space. Returns false if there is no memory. */
bool kp_lengths_make(struct kp_lengths *lengths, kp_space space, size_t places);

/* `kp_blocks_at_most` returns the most bytes that a message of `blocks` blocks has over a wire.
 * `kp_blocks_counted` returns the bytes of a message whose `blocks` blocks KP_COUNT_BLOCKS has just
 * counted, and starts counting the next message. */
size_t kp_blocks_at_most(const struct kp_lengths *own, uint64_t blocks);
size_t kp_blocks_counted(struct kp_lengths *own, uint64_t blocks);

/* Carries out one instruction for blocks with lengths of their own. */
void kp_carry_out_blocks(const struct kp_instruction *i, char *to, const char *from,
                         struct kp_lengths *own);

/* `kp_blocks_begin` clears the counters of a call once its members have agreed on all lengths.
 * `kp_blocks_end` adds the counted C2, and reports a lost block. Its `status` is the status of the
 * call. It returns 0, or the status of the error that is set at the processor. */
void kp_blocks_begin(struct kp_lengths *own, size_t length_bytes);
int kp_blocks_end(struct kp_lengths *own, int status);

#endif
