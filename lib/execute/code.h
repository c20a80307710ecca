/* Code is a list of instructions by which one member carries out a call. Code is made for one
 * schedule, one root and one length of blocks. Each instruction has the addresses of its data,
 * relative to the buffers of the call.
 *
 * lower.c writes code, and interpret.c carries it out. A member keeps the code of a call for later
 * calls with the same arguments. If code is too long to be kept, the member writes a few
 * instructions at a time and carries them out at once. */
#ifndef KPORT_LIB_EXECUTE_CODE_H
#define KPORT_LIB_EXECUTE_CODE_H

#include "kport/schedule.h"
#include "ports/member.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory that an instruction reads or writes. The numbers below KP_BUFFER stand for the
 * member's own spaces KP_OUT, KP_IN and KP_SCRATCH (kp_space). */
enum kp_code_space {
    KP_BUFFER = KP_SPACES, /* an eager buffer, the eager buffers of all members, or a mailbox */
    KP_PEER,               /* the first space of the message's peer; its other two spaces follow */
    KP_CODE_SPACES = KP_PEER + KP_SPACES
};

enum kp_instruction_kind {
    KP_COPY_BUFFER, /* copies between KP_BUFFER and a space, which never overlap */
    KP_COPY_SPACE,  /* copies between spaces, unless source and destination are the same */
    KP_COPY_PAST,   /* copies between spaces, with stores that bypass the cache */
    /* The next five kinds are for blocks with lengths of their own (blocks.h). They read and write
     * entries of the table of blocks, and `bytes` is the size of an entry. */
    KP_POINT_BLOCKS,  /* sets addresses and lengths in the table; copies no data */
    KP_TAKE_BLOCKS,   /* copies blocks into other places */
    KP_COUNT_BLOCKS,  /* adds the lengths of blocks to the length of the message */
    KP_PACK_BLOCKS,   /* packs blocks with their lengths into a message over a wire */
    KP_UNPACK_BLOCKS, /* unpacks blocks from a message over a wire */
    /* The next three kinds are for blocks with layouts (lib/layout/streams.h). */
    KP_COPY_STREAM,      /* copies between spaces or KP_BUFFER; positions are those of streams */
    KP_COPY_STREAM_PAST, /* the same, past the cache if neither side has a layout */
    KP_MEET_LAYOUTS,     /* makes the layouts of member `to_step` those of the peer */
    KP_COMBINE_LEFT,     /* combines; `from` is the left operand */
    KP_COMBINE_RIGHT,    /* combines; `from` is the right operand */
    /* The same for blocks with lengths of their own; `bytes` is the number of entries. The last two
     * kinds unpack the block from a message over a wire, and do not use `from`. */
    KP_COMBINE_BLOCKS_LEFT,
    KP_COMBINE_BLOCKS_RIGHT,
    KP_UNPACK_BLOCKS_LEFT,
    KP_UNPACK_BLOCKS_RIGHT,
    /* The following kinds are for blocks with lengths of their own, too. KP_END_SENT and
     * KP_END_TAKEN have the sender's port in `count`, the peer in `to_step`, and the round in
     * `from_step`. */
    KP_END_SENT,   /* ends a message that this member sends */
    KP_END_TAKEN,  /* ends a message that this member receives */
    KP_END_ROUND,  /* ends a round: tells the other members the length of the longest message */
    KP_PAD_BLOCKS, /* copies each outgoing block to a place that has room for the longest block */
    KP_SETTLE_BLOCKS, /* copies each incoming block to the address that the caller gave */
};

/* An instruction makes `count` copies or `count` combinations. `to`, `from` and `operand` are
 * positions in the spaces `to_space`, `from_space` and `operand_space`, in bytes. Copy i has
 * `bytes` bytes; its source is `from` + i * `from_step`, and its destination is `to` + i *
 * `to_step`. Each combination combines `bytes` elements and stores the result at `to`. Combination
 * 0 combines the elements at `operand` and at `from`. Combination i > 0 combines the elements at
 * `to` and at `from` + i * `from_step`. */
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

/* The largest number of instructions in kept code. These instructions take 6 KiB. */
#define KP_MOST_KEPT 128

/* Where a message lies on its way from the sender to the receiver. */
enum kp_via {
    KP_VIA_BOX,   /* in a mailbox, or in a message over a wire */
    KP_VIA_EAGER, /* in the eager buffer of its round */
    /* Zero copy: in the sender's memory, until the sender or the receiver copies it. */
    KP_VIA_MEMORY,
};

/* A message whose copies need the peer's memory or mailbox. The instructions `first` ... end - 1
 * make the copies. */
struct code_message {
    int rank, port; /* the peer's rank, and the port on which the sender sends */
    uint32_t first, end;
    uint8_t via; /* an enum kp_via */
    bool put;    /* true: the sender carries out these instructions; false: the receiver does */
    /* Over a wire: the length of the message; and, if its units are neighbours, their position
     * `place` in `space`. If `direct`, it may go from or to there without a copy. */
    bool neighbours, direct;
    uint8_t space;
    uint64_t place;
    size_t bytes;
};

struct code_round {
    /* `pack`, `take` and `move` are the numbers of the first instructions of three lists (in
     * kp_code.all). The first list packs messages into the eager buffer. The second one takes
     * messages out of eager buffers. The third one has the moves (copies within the member's own
     * memory). Each list ends where the next list begins. The third list ends before instruction
     * `end`. */
    uint32_t pack, take, move, end;
    /* In kp_code.messages, the sent messages begin at `send`; the received messages begin at
     * `receive` and end before `last`. */
    uint32_t send, receive, last;
    bool zero_copy;             /* whether the messages of the round are zero copy */
    size_t buffer_bytes;        /* the most bytes that any member packs in the round */
    struct kp_wired_laid *laid; /* over a wire, from the first time on: kp_wired_keep */
};

/* A copy between position `place` of a space and an eager buffer. `buffer` has the address in the
 * buffer of each generation. */
struct placed_copy {
    char *buffer[KP_GENERATIONS];
    uint64_t place;
    uint32_t bytes;
    uint8_t space;
};

/* The code of a call. In a call of one round, a member that only receives one message reads only
 * the first cache line of this struct. */
struct kp_code {
    /* There is one round, in which this member packs at most one message and receives at most
     * one. */
    bool one_message;
    bool packs;           /* if `one_message`: the member packs a message */
    bool takes, combines; /* if `one_message`: the member copies or combines a received message */
    bool of_two;          /* the group has two members */
    bool by_mail, by_wire;
    bool zero_copy; /* the messages of at least one round are zero copy */
    bool early;     /* the moves before round 0 are made before the member packs */
    bool waits; /* the moves before round 0 are made after the member arrives and before it waits */
    bool meets; /* there is one round, by the barrier, in which messages go by eager buffers */
    bool sends; /* the same, also with layouts, and the member has nothing to do after the episode
                 */
    bool free_at_end; /* by the barrier: no other member uses this one's memory in the last round */
    bool together;    /* one thread may make the last round's copies for all threads of its core */
    uint8_t rounds;
    uint32_t first; /* the number of instructions that make the moves before round 0; they come
                       first in `all` */
    uint32_t c1;    /* C1 of the call */
    uint64_t c2;
    struct placed_copy take, pack; /* if `one_message`: the copy that takes, the copy that packs */
    struct kp_instruction *all;
    struct code_message *messages;
    uint32_t holders; /* how many prepared calls of one processor have this code */
    struct code_round round[];
};

_Static_assert(offsetof(struct kp_code, pack) <= 64,
               "a member that only receives reads one cache line");
_Static_assert(KP_MOST_KEPT <= UINT8_MAX, "there are not more rounds than instructions");

#endif
