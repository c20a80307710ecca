/* Blocks with lengths of their own, and the table in which a member finds them.
 *
 * The schedules are those for equal blocks, and a place holds a block of any length: the table says
 * for each place of each space where its block lies and how long it is. Code is lowered to places
 * of the table instead of bytes of a buffer, so it serves all lengths. Messages stay where they
 * are; a receiver reads the lengths of a message's blocks in its sender's table and then copies the
 * blocks. */
#ifndef KPORT_LIB_EXECUTE_BLOCKS_H
#define KPORT_LIB_EXECUTE_BLOCKS_H

#include "kport/schedule.h"
#include "lib/schedule/arena.h"
#include "ports/port.h"

struct kp_instruction;
struct kp_prepared;

/* The block in a place. */
struct kp_block {
    char *data; /* where it lies */
    size_t bytes;
    char *home;   /* of the incoming buffer: where the caller wants one, or NULL: it is there */
    size_t fits;  /* and how long; also what passes through may lie there, if it fits */
    char *memory; /* of the arena, taken for this place, and how much it is */
    size_t room;
    int lost_at; /* 0, or 1 + the number of the processor that had no memory for it on its way */
};

/* Of all members' outgoing blocks, in bytes. */
struct kp_measured {
    size_t longest, mean;
};

/* What a member tells all others when lengths are compared, and beside it, to each the length of
 * its block. The others may still read it while the call goes on. */
struct kp_sums {
    struct kp_telling telling;
    size_t longest, total; /* bytes of the outgoing blocks */

    /* Rank 0 looks at all sums, and tells the others here. */
    _Atomic int told; /* enum kp_told */
    struct kp_measured all;
};

enum kp_told {
    KP_UNTOLD,
    KP_BEING_TOLD,
    KP_TOLD
};

/* What a member keeps from call to call. */
struct kp_lengths {
    kp_group *member;
    struct kp_sums sums;
    struct kp_block *blocks[KP_SPACES]; /* the table; at first incoming blocks are as expected */
    size_t places[KP_SPACES], capacity[KP_SPACES];
    struct kp_arena arena;
    void *ranges; /* room to look for blocks that overlap */
    size_t range_capacity;

    /* Of the call under way: */
    struct kp_measured all;
    char *stream;         /* into the message over a wire that is packed or unpacked next */
    size_t length_bytes;  /* that travel with a block */
    uint64_t message;     /* bytes of the one in hand, so far */
    uint64_t longest, c2; /* message of the round; all members' of the rounds before, summed up */
    struct kp_block lost; /* one for this processor that did not come, or that it lost */

    /* Of a persistent plan: what served last; NULL elsewhere. */
    struct kp_prepared *kept;

    /* The latest choice of an algorithm: what was asked, for which lengths, and what came out. */
    kp_problem asked, chosen;
    struct kp_measured chosen_for;
};

/* NULL: there is no memory. */
struct kp_lengths *kp_lengths_create(kp_group *member);
void kp_lengths_free(struct kp_lengths *lengths);

/* Makes room for `count` items of `size` bytes, where there is room for `*capacity`. NULL: there is
 * no memory, and the old items stay. */
void *kp_lengths_room(void *items, size_t *capacity, size_t count, size_t size);

/* Makes the places of a space, all empty. False: there is no memory. */
bool kp_lengths_make(struct kp_lengths *lengths, kp_space space, size_t places);

/* Bytes of a message over a wire: of one with that many blocks at most; and of one whose blocks
 * have been counted (KP_COUNT_BLOCKS) since the last time. */
size_t kp_blocks_at_most(const struct kp_lengths *own, uint64_t blocks);
size_t kp_blocks_counted(struct kp_lengths *own, uint64_t blocks);

/* Carries out an instruction of one of the kinds for blocks. */
void kp_carry_out_blocks(const struct kp_instruction *i, char *to, const char *from,
                         struct kp_lengths *own);

/* Before and after a call whose blocks are laid out and agreed upon: what is lost and counted on
 * the way. `status` is the call's; 0, or the status of the error that is set at the processor. */
void kp_blocks_begin(struct kp_lengths *own, size_t length_bytes);
int kp_blocks_end(struct kp_lengths *own, int status);

#endif
