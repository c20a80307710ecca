/* Problems, algorithms, and the schedules that algorithms write: a collective is data.
 *
 * A schedule says for each processor and round what it sends on which port to which rank from which
 * place, and what it receives where. It holds no pointer into user memory, no thread and no lock.
 * Separate parts of the library build, check, cost, draw and execute schedules. A built schedule
 * never changes, so any thread may read it. */
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
    KP_INDEX,          /* all-to-all: block j of processor i becomes block i of processor j */
    KP_CONCAT,         /* all-gather: the block of processor i becomes block i of all */
    KP_BROADCAST,      /* the root's block goes to all */
    KP_SCATTER,        /* block j of the root goes to processor j */
    KP_GATHER,         /* the block of processor i becomes block i of the root */
    KP_INDEXV,         /* the v forms, with a length for each block: index */
    KP_CONCATV,        /* concatenation */
    KP_SCATTERV,       /* scatter */
    KP_GATHERV,        /* gather */
    KP_REDUCE,         /* the combination of all blocks goes to the root */
    KP_ALLREDUCE,      /* the combination of all blocks goes to all */
    KP_REDUCE_SCATTER, /* the combination of all blocks j goes to processor j */
    KP_SCAN,           /* the combination of blocks 0 ... i goes to processor i */
    KP_SCAN_EXCLUSIVE, /* that of blocks 0 ... i - 1 goes to processor i; processor 0 gets nothing
                        */
    KP_ONE_TO_ONE,     /* the root's block goes to one processor, the target */
    KP_OPERATIONS
} kp_operation;

/* Returns the operation's name, "index", "concat", and so on; NULL for any other number. */
KP_API const char *kp_operation_name(kp_operation operation);

/* --- Problems --- */

#define KP_PARAMETERS 4 /* the most parameters of an algorithm */

/* A problem: an operation, its size, and how to do it. A problem string has the same content:
 * "index:n=64,k=2,b=256,alg=radix,r=4", "broadcast:n=64,k=1,b=8,root=3",
 * "allreduce:n=8,k=1,count=100,type=float64,op=sum". */
typedef struct kp_problem {
    kp_operation operation;
    int n;                 /* the number of processors, at least 1 */
    int k;                 /* the number of ports, 1 ... max(1, n - 1) */
    size_t b;              /* the bytes of a block; in the v forms of the longest block */
    int root;              /* the root's rank, if the operation has a root; else 0 */
    int target;            /* the target's rank, if the operation has a target; else 0 */
    int in_place;          /* 1: the outgoing block already lies at its place in the incoming buffer
                              (KP_IN_PLACE). In the v forms the schedule still moves it there */
    kp_type type;          /* reductions: the elements' type, whose size divides b; 0 is KP_UINT8 */
    const kp_operator *op; /* reductions: the operator; NULL: KP_SUM */
    const kp_algorithm *algorithm; /* NULL: kp_tune chooses */
    long values[KP_PARAMETERS];    /* the parameters in the algorithm's order; 0: kp_tune chooses */
    int rank;                      /* the rank whose part a builder writes; elsewhere 0 */
} kp_problem;

/* Reads a problem string: an operation (or its MPI name), a colon, then key=value separated by
 * commas. n, k and b are required. alg, its parameters and root (default 0) are optional. A
 * parameter without alg names the algorithm if only one algorithm of the operation has it. A number
 * may end in K, M or G for 2^10, 2^20 and 2^30.
 * A reduction has type and op (defaults float64 and sum). It may have count, the elements of a
 * block, instead of b. Types are also called char (int8), int (int32), long (int64), float and
 * double, operators add, mul, min and max. An operation with a target has to (default n - 1).
 * Errors: KP_EPROBLEM, KP_EALGORITHM, KP_EUNSERVED; the sentence names the key, its value and the
 * valid values (kp_last_error). Any thread may call it. */
KP_API int kp_problem_parse(const char *text, kp_problem *problem) KP_MUST_CHECK;

/* Writes the problem string in at most `size` bytes including the final zero, and returns the full
 * length, as snprintf does. kp_problem_parse reads the string back as the same problem, with two
 * exceptions. A user's operator is only described. The user's own algorithm is only named:
 * kp_problem_parse knows only the library's algorithms, so it refuses that name with KP_EALGORITHM
 * or takes it for the library's algorithm of that name. Any thread may call it. */
KP_API int kp_problem_format(const kp_problem *problem, char *text, size_t size);

/* --- Schedules as algorithms write them --- */

typedef enum kp_space {
    KP_OUT, /* the caller's outgoing buffer: n blocks (index; scatter, at the root) or 1 */
    KP_IN,  /* the caller's incoming buffer: n blocks (index; concat; gather, at the root) or 1 */
    KP_SCRATCH, /* temporary memory, as much as kp_build_scratch asks for */
    KP_SPACES
} kp_space;

/* A list of units: `count` runs of `run` neighbouring units; run i begins at first + i * stride.
 * All lie in one space. A unit is a block. If the algorithm splits blocks, a unit is a byte, or in
 * a reduction an element. In a space of n blocks positions are taken modulo the size of the space.
 * So a run may wrap around, and `first` or `stride` may be negative. */
typedef struct kp_piece {
    kp_space space;
    int64_t first;
    int64_t count;
    int64_t stride;
    int64_t run;
} kp_piece;

/* Returns a piece of `run` neighbouring units. */
static inline kp_piece kp_run_of(kp_space space, int64_t first, int64_t run)
{
    kp_piece piece = {space, first, 1, 0, run};
    return piece;
}

/* Returns a piece of `count` single units, `stride` apart. */
static inline kp_piece kp_every(kp_space space, int64_t first, int64_t count, int64_t stride)
{
    kp_piece piece = {space, first, count, stride, 1};
    return piece;
}

/* How the parts of the n processors follow from the part of rank 0. A schedule with a symmetry is
 * stored once. For another rank, each peer x, and each place x in a space of n blocks, becomes the
 * digit-wise sum of x and the rank, without carries, in some radix. */
typedef enum kp_symmetry {
    KP_NO_SYMMETRY, /* the schedule stores every part */
    KP_CYCLIC,      /* radix n: (rank + x) mod n */
    KP_DIGITS,      /* radix k + 1, where n is a power of k + 1; for k = 1, rank xor x */
    KP_XOR,         /* radix 2 for every k, where n is a power of 2: rank xor x */
} kp_symmetry;

/* The functions that an algorithm's `build` may call, and nothing else may. They nest: rounds
 * contain messages, messages contain pieces. kport keeps a failure (no memory, a piece outside its
 * space) and reports it at the end of the build, so `build` need not check between calls. */

/* States how many units of scratch this part uses. The schedule gets the largest number of all
 * parts. */
KP_API void kp_build_scratch(kp_builder *b, int64_t units);

/* Begins the next round. Moves before the first round happen before any message is sent. */
KP_API void kp_build_round(kp_builder *b);

/* `kp_build_send` begins a message of this round to rank `peer` on own port `port`, and
 * `kp_build_receive` a receive from rank `peer`. The pieces that `kp_build_piece` then adds are the
 * message's contents, or where its contents go. A message and its receive have the same length. In
 * a round there is at most one message from one processor to another. */
KP_API void kp_build_send(kp_builder *b, int port, int peer);
KP_API void kp_build_receive(kp_builder *b, int port, int peer);
KP_API void kp_build_piece(kp_builder *b, kp_piece piece);

/* How incoming operands combine with present ones. The side matters if the operator is not
 * commutative. */
typedef enum kp_combining {
    KP_COPY,  /* incoming data overwrites present data */
    KP_LEFT,  /* incoming op present */
    KP_RIGHT, /* present op incoming */
} kp_combining;

/* `kp_build_combine` begins a receive that combines. The pieces that follow are where the results
 * go. `kp_build_operand`, called after the pieces, names the pieces that hold the present values;
 * without it these are the result pieces themselves. The receives of a round combine in the order
 * of their ports, so several may add to the same pieces. Pieces that a round writes may not be sent
 * in that round; operands may. */
KP_API void kp_build_combine(kp_builder *b, int port, int peer, kp_combining side);
KP_API void kp_build_operand(kp_builder *b, kp_piece piece);

/* Combines locally, in the order of the moves: `to` becomes `from` op `to` (KP_LEFT) or `to` op
 * `from` (KP_RIGHT). */
KP_API void kp_build_fold(kp_builder *b, kp_piece from, kp_piece to, kp_combining side);

/* Copies unit i of `from` to unit i of `to`, after the receives of this round, in the order of the
 * calls. It may not overwrite data that was sent in this round. */
KP_API void kp_build_move(kp_builder *b, kp_piece from, kp_piece to);

/* --- Algorithms --- */

/* A parameter: a number low ... high, or one of several words (value 1 is the first word). If a
 * call leaves it open, kport takes the value with the least predicted time. */
typedef struct kp_parameter {
    const char *name; /* the key in problem strings; NULL ends the list */
    const char *summary;
    const char *range; /* the text "low ... high" for lists; NULL if there are words */
    long (*low)(const kp_problem *problem);
    long (*high)(const kp_problem *problem);
    const char *const *words; /* the words, ended by NULL; NULL: the parameter is a number */
} kp_parameter;

/* An algorithm: a row of the library's table, or the user's own row, which kp_hints (collective.h)
 * gives to a call. */
struct kp_algorithm {
    kp_operation operation;
    const char *name;
    const char *summary; /* one line */
    const char *source;  /* the paper, section and theorem */
    kp_symmetry symmetry;
    kp_parameter parameters[KP_PARAMETERS + 1];

    /* `restriction` says in words, for lists, what n and k must be; NULL: no restriction. `serves`
     * returns NULL if the algorithm serves the problem, else the reason (usually `restriction`);
     * NULL instead of a function: it always does. */
    const char *restriction;
    const char *(*serves)(const kp_problem *problem);

    /* Returns 1 if the schedule splits blocks; then its unit is the byte and it depends on b. NULL:
     * it never does. */
    int (*splits)(const kp_problem *problem);

    /* Writes the part of processor problem->rank (with a symmetry: of rank 0). All parameters have
     * values. Unless own_root is set, the root is 0 and a target is counted from the root. Returns
     * 0 or a status. */
    int (*build)(kp_builder *b, const kp_problem *problem);

    /* Used instead of `build`: the schedule is that of this algorithm backwards, and with
     * `and_back` then also forwards. `symmetry` is the other algorithm's, or none. */
    const kp_algorithm *mirror_of;
    int and_back;

    /* 1: `build` writes for the problem's root. 0: it writes for root 0, and ranks are counted from
     * the root. */
    int own_root;

    /* Used instead of both: the schedule is that of this algorithm of another operation, for whole
     * blocks. If that algorithm splits blocks, kport asks it for blocks of one byte. Its parameters
     * that this row does not declare are 0. */
    const kp_algorithm *same_schedule_as;

    /* The v forms: bytes that travel with every block beside its contents, for its length, if the
     * receiver cannot know the length. They count in C2. */
    int length_bytes;
    /* The v forms: 1 if every block is padded to the longest, so the operation runs on equal blocks
     * with a copy before and after it. */
    int pads;

    /* Stores C1, and C2 in bytes, in closed form, as the head of the algorithm's file states them.
     * NULL: not known; parameters left open then get their lowest values. */
    void (*stated_cost)(const kp_problem *problem, uint64_t *c1, uint64_t *c2);
};

/* Returns the i-th algorithm of the table, which is ordered by operations; NULL past the end. */
KP_API const kp_algorithm *kp_algorithm_at(int i);

/* Returns the algorithm of that name, or NULL. */
KP_API const kp_algorithm *kp_algorithm_find(kp_operation operation, const char *name);

/* --- Built schedules --- */

/* `kp_schedule_build` builds the schedule of a problem; `kp_schedule_free` frees it (NULL is
 * allowed). Any thread may call them. The schedule is written for root 0; for another root, count
 * ranks and places from that root, unless the algorithm has own_root. First kp_tune, with the
 * built-in model, chooses what the problem leaves open. The result is not checked;
 * kp_schedule_check does that. Errors: KP_EPROBLEM, KP_EUNSERVED, KP_EMEMORY, KP_ESCHEDULE (a
 * message without its receive, or the like; kp_last_error). */
KP_API int kp_schedule_build(const kp_problem *problem, kp_schedule **schedule) KP_MUST_CHECK;
KP_API void kp_schedule_free(kp_schedule *schedule);

/* Returns the problem that the schedule serves, with nothing left open. It is valid as long as the
 * schedule. */
KP_API const kp_problem *kp_schedule_problem(const kp_schedule *schedule);

/* Returns the number of rounds. */
KP_API int kp_schedule_rounds(const kp_schedule *schedule);

/* `kp_schedule_units` returns the number of units in a space; `kp_schedule_unit_of_block` the
 * number of units in a block: 1, or its bytes or elements if the schedule splits blocks. */
KP_API int64_t kp_schedule_units(const kp_schedule *schedule, kp_space space);
KP_API int64_t kp_schedule_unit_of_block(const kp_schedule *schedule);

/* A message from the view of its sender or its receiver. */
typedef struct kp_message {
    int port; /* this processor's port */
    int peer; /* the other processor's rank in the group (not counted from the root) */
    const kp_piece *pieces;
    int piece_count;
    int64_t units;           /* the length in units */
    int64_t row;             /* the message's place in its sender's eager buffer, in units */
    kp_combining combining;  /* how the receiver combines; KP_COPY for a send */
    const kp_piece *operand; /* present values, as long as the pieces; or NULL */
    int operand_count;
} kp_message;

/* Return the number of messages that a processor sends or receives in a round, and the i-th of
 * them. */
KP_API int kp_schedule_sends(const kp_schedule *schedule, int rank, int round);
KP_API int kp_schedule_receives(const kp_schedule *schedule, int rank, int round);
KP_API kp_message kp_schedule_send(const kp_schedule *schedule, int rank, int round, int i);
KP_API kp_message kp_schedule_receive(const kp_schedule *schedule, int rank, int round, int i);

/* A local move of a processor after a round (round -1: before the first). The functions return the
 * number of moves, and the i-th. */
typedef struct kp_move {
    kp_piece from, to;
    kp_combining combining;
} kp_move;
KP_API int kp_schedule_moves(const kp_schedule *schedule, int rank, int round);
KP_API kp_move kp_schedule_move(const kp_schedule *schedule, int rank, int round, int i);

/* Returns the place in the space, in units from its beginning, that position `position` of a piece
 * has at processor `rank`; -1 if the place lies outside. */
KP_API int64_t kp_schedule_place(const kp_schedule *schedule, int rank, kp_space space,
                                 int64_t position);

/* Checks a schedule by moving symbolic units through all n parts, independently of builders and
 * executor. `error` may be NULL. Pure; any thread may call it. Errors: KP_EMEMORY, or KP_ESCHEDULE
 * with a sentence that names round, processor, port and peer, for
 * - more than k sends or receives, a port used twice, or two messages with the same sender and
 *   receiver;
 * - a message without its counterpart, or of another length; packed messages that overlap in an
 *   eager buffer;
 * - a unit read before it arrived; a place read and written in one round, or written twice in it;
 * - a missing or wrong unit at the end; in a reduction an operand counted twice, left out, combined
 *   with one of another place or, if the order matters, out of order. */
KP_API int kp_schedule_check(const kp_schedule *schedule, kp_error_record *error) KP_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
