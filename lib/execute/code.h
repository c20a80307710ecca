/* Code: what a schedule comes to for one member, one root and one length of blocks. It is a list of
 * instructions in which every place and every peer is known.
 *
 * lower.c writes code, interpret.c carries it out. Code that comes again is kept; code that is too
 * long to keep is written and carried out a few instructions at a time. */
#ifndef KPORT_LIB_EXECUTE_CODE_H
#define KPORT_LIB_EXECUTE_CODE_H

#include "kport/schedule.h"
#include "ports/pass.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where places are counted from, beside the member's own memory (KP_OUT, KP_IN and KP_SCRATCH). */
enum kp_code_space {
    KP_BUFFER = KP_SPACES, /* an eager buffer, that of all members, or a mailbox */
    KP_PEER,               /* the same three spaces of the other end of a message */
    KP_CODE_SPACES = KP_PEER + KP_SPACES
};

enum kp_instruction_kind {
    KP_COPY_BUFFER, /* to or from a buffer: the two places never overlap */
    KP_COPY_SPACE,  /* between spaces, which may be one memory: what is there already stays */
    KP_COPY_PAST,   /* with stores past the cache */
    /* Of blocks with lengths of their own (blocks.h): `bytes` is a place of the table. */
    KP_POINT_BLOCKS, /* say where they lie, and leave them there */
    KP_TAKE_BLOCKS,
    KP_COUNT_BLOCKS,  /* how long they are */
    KP_PACK_BLOCKS,   /* into a message over a wire, with their lengths, one after the other */
    KP_UNPACK_BLOCKS, /* out of one */
    KP_COMBINE_LEFT,
    KP_COMBINE_RIGHT, /* as kp_combining */
    /* Of blocks again; the first three end lists of them: `count` is the sender's port, the steps
     * are the peer and the round. */
    KP_END_SENT, /* of a message, */
    KP_END_TAKEN,
    KP_END_ROUND,     /* which tells the longest message */
    KP_PAD_BLOCKS,    /* all of the table, into a buffer in which each has as many bytes */
    KP_SETTLE_BLOCKS, /* all, to where they belong and do not lie yet */
};

/* `count` copies at equal distances, each of `bytes` bytes. Or `count` combinations of `bytes`
 * elements: the first combines `from` with `operand` into `to`; each of the others combines what
 * lies `from_step` further on with `to`. */
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

/* Code with more instructions is not kept: 6 KiB for each member and call. */
#define KP_MOST_KEPT 128

/* How a message travels. */
enum kp_via {
    KP_VIA_BOX,    /* in a mailbox */
    KP_VIA_EAGER,  /* in the eager buffer of its round */
    KP_VIA_MEMORY, /* zero copy: one end copies from or to the other's memory */
};

/* A message that needs to know its peer, and the instructions that copy it. */
struct code_message {
    int rank, port; /* of the peer; of the sender */
    uint32_t first, end;
    uint8_t via; /* enum kp_via */
    bool put;    /* its sender copies this part of it */
};

struct code_round {
    uint32_t pack, take, move,
        end; /* where each list begins; by a mailbox, `pack` fills the buffer */
    uint32_t send, receive, last; /* messages */
    bool zero_copy;               /* messages stay where they are */
    size_t buffer_bytes;          /* of the longest eager buffer */
};

/* A copy between a space and an eager buffer whose addresses never change. */
struct placed_copy {
    char *buffer[KP_GENERATIONS];
    uint64_t place;
    uint32_t bytes;
    uint8_t space;
};

/* A member with one round and one message reads nothing but the first cache line. */
struct kp_code {
    bool one_message;     /* one round; this member packs and takes one message at most */
    bool packs;           /* then, and */
    bool takes, combines; /* one of these or none */
    bool of_two;          /* members */
    bool by_mail;
    bool zero_copy; /* in some round */
    bool early;     /* the moves before round 0 come before its messages are packed */
    bool waits;     /* instead, they come while the others are on their way */
    bool together;  /* one thread may make the last round's copies for all of its core */
    uint8_t rounds;
    uint32_t first; /* end of the moves before round 0 */
    uint32_t c1;    /* of the call */
    uint64_t c2;
    struct placed_copy take, pack; /* of one_message */
    struct kp_instruction *all;
    struct code_message *messages;
    struct code_round round[];
};

_Static_assert(offsetof(struct kp_code, pack) <= 64, "what the only round takes is on a line");
_Static_assert(KP_MOST_KEPT <= UINT8_MAX, "there are not more rounds than instructions");

#endif
