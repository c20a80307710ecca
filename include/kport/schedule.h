/* A collective is data: problems, algorithms, and the schedules that algorithms write.
 *
 * A schedule says for each processor, round by round, what it sends on which port to whom from
 * which place, and what it receives where. It holds no pointer, no thread and no lock; it is built,
 * checked, costed, drawn and executed, each by a part of the library that knows nothing of the
 * others. Schedules are immutable once built: any thread may read one. */
#ifndef KPORT_SCHEDULE_H
#define KPORT_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "operator.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kp_algorithm kp_algorithm;
typedef struct kp_schedule kp_schedule;
typedef struct kp_builder kp_builder;

typedef enum kp_operation {
    KP_INDEX,          /* all-to-all: block j of processor i to place i of processor j */
    KP_CONCAT,         /* all-gather: the block of processor i to place i of all */
    KP_BROADCAST,      /* the root's block to all */
    KP_SCATTER,        /* block j of the root to processor j */
    KP_GATHER,         /* the block of processor i to place i of the root */
    KP_INDEXV,         /* the same with a length for every block: index, */
    KP_CONCATV,        /* concatenation, */
    KP_SCATTERV,       /* scatter, */
    KP_GATHERV,        /* and gather */
    KP_REDUCE,         /* the blocks of all, combined, to the root */
    KP_ALLREDUCE,      /* the same to all */
    KP_REDUCE_SCATTER, /* the blocks j of all, combined, to processor j */
    KP_SCAN,           /* the blocks of processors 0 ... i, combined, to processor i */
    KP_SCAN_EXCLUSIVE, /* those of processors 0 ... i - 1; to processor 0 nothing */
    KP_ONE_TO_ONE,     /* the root's block to one processor, the target */
    KP_OPERATIONS
} kp_operation;

/* "index", "concat", and so on; NULL for a number that is none. */
KP_API const char *kp_operation_name(kp_operation operation);

/* --- Problems --- */

#define KP_PARAMETERS 4 /* most parameters an algorithm declares */

/* What is to be done, by how many, and how. A problem string says the same:
 * "index:n=64,k=2,b=256,alg=radix,r=4", "broadcast:n=64,k=1,b=8,root=3",
 * "allreduce:n=8,k=1,count=100,type=float64,op=sum". */
typedef struct kp_problem {
    kp_operation operation;
    int n;                         /* processors, at least 1 */
    int k;                         /* ports, 1 ... max(1, n - 1) */
    size_t b;                      /* bytes of a block; of the longest where lengths differ */
    int root;                      /* rank of the root, where the operation has one; else 0 */
    int target;                    /* rank of the target, where the operation has one; else 0 */
    int in_place;                  /* 1: the outgoing block lies where it will be in the incoming
                                      buffer (KP_IN_PLACE); where blocks have lengths of their own
                                      it is to be moved there all the same, and stays */
    kp_type type;                  /* of a reduction's elements, of which b is a multiple; 0 is
                                      KP_UINT8 */
    const kp_operator *op;         /* of a reduction; NULL: KP_SUM */
    const kp_algorithm *algorithm; /* NULL: left to kp_tune */
    long values[KP_PARAMETERS];    /* as the algorithm declares them; 0: left to kp_tune */
    int rank;                      /* whose part a builder is to write; 0 elsewhere */
} kp_problem;

/* Reads a problem string: an operation (or its MPI name), a colon, then key=value with commas
 * between. n, k and b are required; alg and its parameters are not, nor is root (0 if not given).
 * A parameter without alg names the algorithm, where only one of the operation has it. A number may
 * have K, M or G behind it, for 2^10, 2^20 and 2^30.
 * A reduction has type and op (float64 and sum if not given), and may have count, the elements of a
 * block, for b. Types are also called char (int8), int (int32), long (int64), float and double,
 * operators add, mul, min and max. An operation with a target has to (n - 1 if not given).
 * Errors: KP_EPROBLEM, KP_EALGORITHM, KP_EUNSERVED; the sentence names the key, what it was and
 * what it may be (kp_last_error). Any thread. */
KP_API int kp_problem_parse(const char *text, kp_problem *problem) KP_MUST_CHECK;

/* Writes the problem string, at most `size` bytes with the final zero; returns its length as
 * snprintf does. kp_problem_parse reads it back to the same problem, with two exceptions. A user's
 * operator is only described. Of an algorithm of the caller's own only the name is written:
 * kp_problem_parse knows none but the library's, and refuses that name with KP_EALGORITHM, or takes
 * it for the library's algorithm that is called the same. */
KP_API int kp_problem_format(const kp_problem *problem, char *text, size_t size);

/* --- Schedules as algorithms write them --- */

typedef enum kp_space {
    KP_OUT, /* the caller's outgoing buffer: n blocks (index; scatter, at the root), or 1 */
    KP_IN,  /* the caller's incoming buffer: n blocks (index; concat; gather, at the root), or 1 */
    KP_SCRATCH, /* as much as the builder asked for */
    KP_SPACES
} kp_space;

/* A list of units in one space: `count` runs of `run` neighbouring units each; run i begins at
 * first + i * stride. A unit is a block; where the algorithm splits blocks it is a byte, or in a
 * reduction an element. In a space
 * with a place for every processor (n blocks) positions are taken modulo the size of the space, so
 * a run may go over the end and `first` or `stride` may be negative. */
typedef struct kp_piece {
    kp_space space;
    int64_t first;
    int64_t count;
    int64_t stride;
    int64_t run;
} kp_piece;

/* `run` neighbouring units. */
static inline kp_piece kp_run_of(kp_space space, int64_t first, int64_t run)
{
    kp_piece piece = {space, first, 1, 0, run};
    return piece;
}

/* `count` single units, `stride` apart. */
static inline kp_piece kp_every(kp_space space, int64_t first, int64_t count, int64_t stride)
{
    kp_piece piece = {space, first, count, stride, 1};
    return piece;
}

/* How the parts of the n processors follow from that of rank 0. With a symmetry the schedule is
 * stored once: peer and place x of rank 0 (in the spaces with a place for every processor) become
 * the digit-wise sum of x and the rank, without carries, in some radix. */
typedef enum kp_symmetry {
    KP_NO_SYMMETRY, /* every part is stored */
    KP_CYCLIC,      /* radix n: rank + x mod n */
    KP_DIGITS,      /* radix k + 1, n a power of it; k = 1: rank xor x */
    KP_XOR,         /* radix 2 whatever k is, n a power of 2: rank xor x */
} kp_symmetry;

/* What a builder's function may call, in this order of nesting: rounds, in them messages, in them
 * pieces. A failure (no memory, a piece outside its space) is kept and comes out at the end of the
 * build, so nothing needs to be checked in between. */

/* How many units of scratch this part uses; the largest over the parts counts. */
KP_API void kp_build_scratch(kp_builder *b, int64_t units);

/* Begins the next round. Moves before the first round are done before anything is sent. */
KP_API void kp_build_round(kp_builder *b);

/* Begins a message of this round to (from) rank `peer` on own port `port`; the pieces that follow
 * are its contents (where its contents go). A message and its receive have the same length. In a
 * round there is at most one message from one processor to another. */
KP_API void kp_build_send(kp_builder *b, int port, int peer);
KP_API void kp_build_receive(kp_builder *b, int port, int peer);
KP_API void kp_build_piece(kp_builder *b, kp_piece piece);

/* How two lists of operands become one: to the other's left or right, which matters where the
 * operator is not commutative. */
typedef enum kp_combining {
    KP_COPY,  /* not at all: what comes overwrites */
    KP_LEFT,  /* what comes op what is there */
    KP_RIGHT, /* what is there op what comes */
} kp_combining;

/* Begins a receive that combines: the pieces that follow are where the results go. What is there
 * already are the operands named after them, else the pieces themselves. The receives of a round
 * are combined in the order of their ports, so one after another may add to the same pieces; such
 * pieces, like all that are written, are not sent in the round, but operands may be. */
KP_API void kp_build_combine(kp_builder *b, int port, int peer, kp_combining side);
KP_API void kp_build_operand(kp_builder *b, kp_piece piece);

/* Combines locally, in the order of the moves: `to` becomes `from` op `to` (KP_LEFT) or `to` op
 * `from` (KP_RIGHT). */
KP_API void kp_build_fold(kp_builder *b, kp_piece from, kp_piece to, kp_combining side);

/* Copies locally, after the receives of this round, in the order of the calls: unit i of `from` to
 * unit i of `to`. May not write what was sent in this round. */
KP_API void kp_build_move(kp_builder *b, kp_piece from, kp_piece to);

/* --- Algorithms --- */

/* A parameter: a number low ... high, or one of the words (value 1 is the first one). Left open, it
 * is chosen by predicted time among all its values. */
typedef struct kp_parameter {
    const char *name; /* as in problem strings; NULL ends the list */
    const char *summary;
    const char *range; /* low ... high in words, for lists; NULL with words */
    long (*low)(const kp_problem *problem);
    long (*high)(const kp_problem *problem);
    const char *const *words; /* NULL: a number; otherwise the words, NULL at the end */
} kp_parameter;

/* One row of the table; or one of the caller's own, which a call is given by kp_how (collective.h).
 */
struct kp_algorithm {
    kp_operation operation;
    const char *name;
    const char *summary; /* one line */
    const char *source;  /* paper, section, theorem */
    kp_symmetry symmetry;
    kp_parameter parameters[KP_PARAMETERS + 1];

    /* What n and k must be, in words, for lists; NULL: any. `serves` returns NULL if the problem
     * can be served, else the reason (usually `restriction`). NULL: always. */
    const char *restriction;
    const char *(*serves)(const kp_problem *problem);

    /* Whether the schedule splits blocks, so that its unit is the byte and it depends on b.
     * NULL: never. */
    int (*splits)(const kp_problem *problem);

    /* Writes the part of processor problem->rank (with a symmetry: of rank 0). All parameters have
     * values; the root is 0, and a target is counted from it, unless own_root is set. Returns 0 or
     * a status. */
    int (*build)(kp_builder *b, const kp_problem *problem);

    /* Instead of `build`: the schedule is that of this algorithm backwards, and with `and_back`
     * then forwards again. `symmetry` is that of the other, or none. */
    const kp_algorithm *mirror_of;
    int and_back;

    /* The schedule is written for the problem's own root, not for root 0 with all ranks counted
     * from the root. */
    int own_root;

    /* Instead of both: the schedule is that of this algorithm of another operation, for whole
     * blocks (an algorithm that splits them is asked for blocks of one byte). Parameters that are
     * not declared here are 0 there. */
    const kp_algorithm *same_schedule_as;

    /* Of operations whose blocks have lengths of their own. Bytes that travel with every block
     * beside its contents: its length, where who receives it cannot know it. They count in C2. */
    int length_bytes;
    /* Every block takes as much room as the longest: an operation on equal blocks, with a copy
     * before and one after it. */
    int pads;

    /* C1 and C2 in closed form, as stated in the head of the algorithm's file. NULL: not known;
     * what its parameters leave open is then the lowest value. */
    void (*stated_cost)(const kp_problem *problem, uint64_t *c1, uint64_t *c2);
};

/* The table: all algorithms, operation by operation; NULL past the end. */
KP_API const kp_algorithm *kp_algorithm_at(int i);

/* The algorithm of that name, or NULL. */
KP_API const kp_algorithm *kp_algorithm_find(kp_operation operation, const char *name);

/* --- Built schedules --- */

/* Builds the schedule of a problem. An operation with a root is written for root 0; the schedule
 * for another one is the same with every rank and every place counted from the root, unless the
 * algorithm has own_root. What the
 * problem leaves open is chosen by kp_tune first, with the built-in model. Does not check it:
 * kp_schedule_check does. Errors: KP_EPROBLEM, KP_EUNSERVED, KP_EMEMORY, KP_ESCHEDULE (a message
 * without its receive, or the like; kp_last_error). Any thread. Freed by kp_schedule_free, which
 * takes NULL too. */
KP_API int kp_schedule_build(const kp_problem *problem, kp_schedule **schedule) KP_MUST_CHECK;
KP_API void kp_schedule_free(kp_schedule *schedule);

/* The problem it serves, nothing left open. Valid as long as the schedule. */
KP_API const kp_problem *kp_schedule_problem(const kp_schedule *schedule);

KP_API int kp_schedule_rounds(const kp_schedule *schedule);

/* Units in a space; and in a block (1 where no block is split, else its bytes or elements). */
KP_API int64_t kp_schedule_units(const kp_schedule *schedule, kp_space space);
KP_API int64_t kp_schedule_unit_of_block(const kp_schedule *schedule);

/* A message as one of its two processors sees it. */
typedef struct kp_message {
    int port; /* own port */
    int peer; /* rank, of the whole group (not relative) */
    const kp_piece *pieces;
    int piece_count;
    int64_t units;           /* length */
    int64_t row;             /* where it begins in its sender's row, in units */
    kp_combining combining;  /* of a receive; KP_COPY for a send */
    const kp_piece *operand; /* what it is combined with, as long as the pieces; NULL for KP_COPY */
    int operand_count;
} kp_message;

/* Messages of a processor in a round: how many, and the i-th. */
KP_API int kp_schedule_sends(const kp_schedule *schedule, int rank, int round);
KP_API int kp_schedule_receives(const kp_schedule *schedule, int rank, int round);
KP_API kp_message kp_schedule_send(const kp_schedule *schedule, int rank, int round, int i);
KP_API kp_message kp_schedule_receive(const kp_schedule *schedule, int rank, int round, int i);

/* Local moves of a processor after a round; round -1: before the first. */
typedef struct kp_move {
    kp_piece from, to;
    kp_combining combining;
} kp_move;
KP_API int kp_schedule_moves(const kp_schedule *schedule, int rank, int round);
KP_API kp_move kp_schedule_move(const kp_schedule *schedule, int rank, int round, int i);

/* The place in its space, in units from its beginning, that position `position` of a piece means at
 * processor `rank`. -1 if it lies outside. */
KP_API int64_t kp_schedule_place(const kp_schedule *schedule, int rank, kp_space space,
                                 int64_t position);

/* Moves symbolic units through all n parts, independently of builders and executor. Refuses, with
 * KP_ESCHEDULE and a sentence that names round, processor, port and peer: more than k sends or
 * receives, a port used twice, two messages with the same sender and receiver, a message without
 * its counterpart or with another length, a unit read before it arrived, a place read and written
 * in the same round or written twice in it, packed messages that overlap in a row, anything missing
 * or wrong at the end; in a reduction an operand that is counted twice, left out, combined with one
 * of another place or, where that counts, out of order. KP_EMEMORY. `error` may be NULL. Any
 * thread; pure. */
KP_API int kp_schedule_check(const kp_schedule *schedule, kp_error_record *error) KP_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
