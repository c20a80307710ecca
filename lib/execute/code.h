/* Code: the instructions of one member for a call with one schedule, one root and one length of
 * blocks. Every place and every peer in it is known.
 *
 * lower.c writes code, and interpret.c carries it out. A member keeps the code of a call for later
 * calls with the same arguments. Code that is too long to be kept is written and carried out a few
 * instructions at a time. */
#ifndef KPORT_LIB_EXECUTE_CODE_H
#define KPORT_LIB_EXECUTE_CODE_H

#include "kport/schedule.h"
#include "ports/member.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory that an instruction names, beside the member's own spaces KP_OUT, KP_IN and
 * KP_SCRATCH. */
enum kp_code_space {
    KP_BUFFER = KP_SPACES, /* an eager buffer, the eager buffers of all members, or a mailbox */
    KP_PEER,               /* the first of the three spaces of the message's peer */
    KP_CODE_SPACES = KP_PEER + KP_SPACES
};

enum kp_instruction_kind {
    KP_COPY_BUFFER, /* copies between a buffer and a space, which never overlap */
    KP_COPY_SPACE,  /* copies between spaces; skips a block whose source is its destination */
    KP_COPY_PAST,   /* copies between spaces with stores past the cache */
    /* The next five are for blocks with lengths of their own (blocks.h): `bytes` is the size of
     * a table entry. */
    KP_POINT_BLOCKS,  /* sets addresses and lengths in the table; copies no data */
    KP_TAKE_BLOCKS,   /* copies blocks into other places */
    KP_COUNT_BLOCKS,  /* adds the lengths of blocks to the length of the message */
    KP_PACK_BLOCKS,   /* packs blocks with their lengths into a message over a wire */
    KP_UNPACK_BLOCKS, /* unpacks blocks from a message over a wire */
    KP_COMBINE_LEFT,  /* combines, `from` being the left operand */
    KP_COMBINE_RIGHT, /* combines, `from` being the right operand */
    /* More instructions for blocks. KP_END_SENT and KP_END_TAKEN end a message: `count` is the
     * sender's port, `to_step` is the peer, and `from_step` is the round. */
    KP_END_SENT,      /* ends a message that is sent */
    KP_END_TAKEN,     /* ends a message that is received */
    KP_END_ROUND,     /* ends a round, and tells the other members the longest message */
    KP_PAD_BLOCKS,    /* copies all outgoing blocks into slots of one length */
    KP_SETTLE_BLOCKS, /* copies each incoming block to where the caller wants it */
};

/* `count` copies of `bytes` bytes, whose places are `to_step` and `from_step` apart. Or `count`
 * combinations, of which `bytes` counts the elements. The first one combines `from` with `operand`
 * into `to`. Each later one moves `from` on by `from_step` and combines it into `to`. */
struct kp_instruction {
    uint8_t kind, to_space, from_space, operand_space;
    uint32_t count;
    size_t bytes;
    uint64_t to, from;
    union {
        int64_t to_step;
        uint64_t operand;
    };
    int64_t from_step;
};

_Static_assert(sizeof(struct kp_instruction) <= 48, "what KP_MOST_KEPT is reckoned with");

/* Code with more instructions is not kept. This many instructions take 6 KiB. */
#define KP_MOST_KEPT 128

/* Where a message lies between its sender and its receiver. */
enum kp_via {
    KP_VIA_BOX,    /* the message is in a mailbox, or in a message over a wire */
    KP_VIA_EAGER,  /* the message is in the eager buffer of its round */
    KP_VIA_MEMORY, /* zero copy: one end copies from or to the other's memory */
};

/* A message with an entry of its own, because copying it needs the peer's memory or mailbox. The
 * instructions from `first` to before `end` copy it. */
struct code_message {
    int rank, port; /* the rank of the peer, the port of the sender */
    uint32_t first, end;
    uint8_t via; /* an enum kp_via */
    bool put;    /* the sender, not the receiver, carries out these instructions */
};

struct code_round {
    /* `pack`, `take` and `move` are the first instructions of the three lists; each list ends where
     * the next one begins, the last one at `end`. `pack` fills the eager buffer. */
    uint32_t pack, take, move, end;
    uint32_t send, receive,
        last;            /* messages: sends, then receives from `receive` to before `last` */
    bool zero_copy;      /* the messages of the round are zero copy */
    size_t buffer_bytes; /* the most bytes that any member packs in the round */
};

/* A copy between a space and an eager buffer. The eager buffer's addresses never change. */
struct placed_copy {
    char *buffer[KP_GENERATIONS];
    uint64_t place;
    uint32_t bytes;
    uint8_t space;
};

/* A member with one round and one message reads only the first cache line of this struct. */
struct kp_code {
    bool one_message; /* one round, in which this member sends and receives one message at most */
    bool packs;       /* in that round: the member packs a message */
    bool takes, combines; /* in that round: the member copies a message, or combines it */
    bool of_two;          /* the group has two members */
    bool by_mail;
    bool zero_copy; /* the messages of some round are zero copy */
    bool early;     /* the moves before round 0 come before packing */
    bool waits;     /* the moves before round 0 come between arriving and waiting */
    bool together;  /* one thread may make the last round's copies for all of its core */
    uint8_t rounds;
    uint32_t first; /* the moves before round 0 are the instructions before this one */
    uint32_t c1;    /* C1 of the call; `c2` is C2 */
    uint64_t c2;
    struct placed_copy take, pack; /* the copies if `one_message` */
    struct kp_instruction *all;
    struct code_message *messages;
    struct code_round round[];
};

_Static_assert(offsetof(struct kp_code, pack) <= 64,
               "a member that only receives reads one cache line");
_Static_assert(KP_MOST_KEPT <= UINT8_MAX, "there are not more rounds than instructions");

#endif
