/* This header declares problems, the algorithms that solve them, and the schedules that algorithms
 * write.
 *
 * A schedule describes a collective operation as data. It names, for each processor
 * and round, the messages that the processor sends and receives. For each message it names
 * the port, the other processor's rank, and the places of the data in the buffers. A schedule holds
 * no pointer into user memory, no thread and no lock. Separate parts of the library build, check,
 * cost, draw and execute schedules. A built schedule never changes, so any thread may read it. Any
 * thread may call the functions of this header, except the kp_build_... functions. */
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
    KP_CONCAT,         /* all-gather: the block of processor i becomes block i of every processor */
    KP_BROADCAST,      /* the root's block goes to all processors */
    KP_SCATTER,        /* block j of the root goes to processor j */
    KP_GATHER,         /* the block of processor i becomes block i of the root */
    KP_INDEXV,         /* an index whose blocks have lengths of their own */
    KP_CONCATV,        /* a concatenation whose blocks have lengths of their own */
    KP_SCATTERV,       /* a scatter whose blocks have lengths of their own */
    KP_GATHERV,        /* a gather whose blocks have lengths of their own */
    KP_REDUCE,         /* all blocks are combined; the result goes to the root */
    KP_ALLREDUCE,      /* all blocks are combined; the result goes to all processors */
    KP_REDUCE_SCATTER, /* block j of every processor is combined; the result goes to processor j */
    KP_SCAN,           /* blocks 0 ... i are combined; the result goes to processor i */
    KP_SCAN_EXCLUSIVE, /* blocks 0 ... i - 1 are combined; the result goes to processor i > 0 */
    KP_ONE_TO_ONE,     /* the root's block goes to one processor, the target */
    KP_REDUCE_SCATTERV, /* a reduce-scatter whose blocks have lengths of their own */
    KP_BARRIER, /* every processor hears that every other one has come; blocks have no bytes */
    KP_OPERATIONS
} kp_operation;

/* Returns the operation's name, such as "index" or "concat"; NULL if there is no such operation. */
KP_API const char *kp_operation_name(kp_operation operation);

/* --- Problems --- */

#define KP_PARAMETERS 4 /* the largest number of parameters of an algorithm */

/* A problem says which operation is asked for, for what sizes, and perhaps by which algorithm. A
 * problem string says the same as text: "index:n=64,k=2,b=256,alg=radix,r=4",
 * "broadcast:n=64,k=1,b=8,root=3", "allreduce:n=8,k=1,count=100,type=float64,op=sum". */
typedef struct kp_problem {
    kp_operation operation;
    int n; /* the number of processors, at least 1 */
    int k; /* the number of ports, 1 ... max(1, n - 1) */
    /* The number of processors of a process: the ranks p * per_process ... (p + 1) * per_process -
     * 1 share process p. Divides n. 0 or 1: no two processors are known to share a process. */
    int per_process;
    size_t b;   /* the bytes of a block; in the v forms the bytes of the longest block */
    int root;   /* the root's rank; 0 if the operation has no root */
    int target; /* the target's rank; 0 if the operation has no target */
    /* 1: the outgoing block already lies at its place in the incoming buffer (KP_IN_PLACE). The
     * schedules of the v forms move the block to this place nevertheless. */
    int in_place;
    kp_type type;          /* in reductions: the elements' type (0: KP_UINT8); its size divides b */
    const kp_operator *op; /* in reductions: the operator; NULL: KP_SUM */
    const kp_algorithm *algorithm; /* the algorithm; NULL: kp_tune chooses it */
    /* The parameters, in the algorithm's order; 0: kp_tune chooses the value. */
    long values[KP_PARAMETERS];
    int rank; /* the rank whose rounds a builder writes; elsewhere 0 */
    /* 1: in reductions, only algorithms with same_order (kp_algorithm) serve the problem. */
    int same_order;
} kp_problem;

/* Reads a problem string. The string has an operation or its MPI name, a colon, and key=value pairs
 * separated by commas. A number may end in K, M or G for 2^10, 2^20 and 2^30. These are the keys:
 * - n, k and b are required.
 * - alg (the algorithm), its parameters and root (default 0) are optional. If a string has a
 *   parameter but no alg, it means the algorithm that has this parameter. It is an error if several
 *   algorithms have this parameter.
 * - A reduction has type (default float64) and op (default sum). A reduction may have count, the
 *   elements of a block, instead of b. Other names of types are char (int8), int (int32), long
 *   (int64), float, double, complex-float, complex-double, short-int (int16-int), 2int (int32-int),
 *   long-int (int64-int), float-int and double-int. Other names of operators are add, mul, min and
 *   max.
 * - An operation with a target has the key `to` (default n - 1).
 * - per_process (default 0) is optional. It must divide n.
 * - A reduction may have same_order=1, which leaves only algorithms with the property same_order.
 *
 * Errors: KP_EPROBLEM, KP_EALGORITHM, KP_EUNSERVED. The sentence names the key, its value and the
 * valid values (kp_last_error). */
KP_API int kp_problem_parse(const char *text, kp_problem *problem) KP_MUST_CHECK;

/* Writes the problem string in at most `size` bytes including the final zero. Returns the full
 * length, as snprintf does. kp_problem_parse reads the string back as the same problem, with two
 * exceptions. Of a user's operator the string has only a description. Of a user's own algorithm it
 * has only the name. kp_problem_parse knows the library's algorithms and the registered ones
 * (kp_algorithm_register). So it refuses any other name with KP_EALGORITHM, or takes it for a known
 * algorithm of that name. */
KP_API int kp_problem_format(const kp_problem *problem, char *text, size_t size);

/* --- Schedules as algorithms write them --- */

typedef enum kp_space {
    KP_OUT, /* the caller's outgoing buffer: n blocks (index; scatter, at the root) or 1 */
    KP_IN,  /* the caller's incoming buffer: n blocks (index; concat; gather, at the root) or 1 */
    KP_SCRATCH, /* temporary memory, of the size that kp_build_scratch states */
    KP_SPACES
} kp_space;

/* A list of units in one space. A unit is a block, or, if the algorithm splits blocks, a byte (in a
 * reduction an element). The list has `count` runs. Each run has `run` neighbouring units, and run
 * i begins at position first + i * stride. In a space of n blocks, positions are taken modulo the
 * size of the space. So with n = 4, place 5 of such a space is place 1, and place -1 is place 3; a
 * run may wrap around, and `stride` may be < 0. In a space of one block, and in scratch, a position
 * outside the space is an error (KP_ESCHEDULE), as it is in a schedule that is read from a file. */
typedef struct kp_piece {
    kp_space space;
    int64_t first;
    int64_t count;
    int64_t stride;
    int64_t run;
} kp_piece;

/* Returns a piece of `run` neighbouring units. `first` may be any position that kp_piece allows: in
 * a space of n blocks it is taken modulo the size of the space. */
static inline kp_piece kp_run_of(kp_space space, int64_t first, int64_t run)
{
    kp_piece piece = {space, first, 1, 0, run};
    return piece;
}

/* Returns a piece of `count` single units at distance `stride`. */
static inline kp_piece kp_every(kp_space space, int64_t first, int64_t count, int64_t stride)
{
    kp_piece piece = {space, first, count, stride, 1};
    return piece;
}

/* A symmetry says how the rounds of any rank follow from those of rank 0. If a schedule has a
 * symmetry, only the rounds of rank 0 are stored. For another rank, the rank is added to each peer
 * x, and to each place x in a space of n blocks. The addition goes digit by digit in a radix,
 * without carries. */
typedef enum kp_symmetry {
    KP_NO_SYMMETRY, /* Every rank's rounds are stored. */
    KP_CYCLIC,      /* The radix is n: x becomes (rank + x) mod n. */
    KP_DIGITS, /* The radix is k + 1, and n is a power of k + 1. If k = 1, x becomes rank xor x. */
    KP_XOR,    /* The radix is 2 for every k, and n is a power of 2: x becomes rank xor x. */
} kp_symmetry;

/* Only the `build` function of an algorithm may call the kp_build_... functions. A round contains
 * messages, and a message contains pieces. If one of these functions fails (no memory, or a piece
 * outside its space), kport remembers the failure and reports it at the end of the build. So
 * `build` need not check for failures between its calls. */

/* States the number of units of scratch that this processor uses. The schedule gets the largest
 * number that any processor states. */
KP_API void kp_build_scratch(kp_builder *b, int64_t units);

/* Begins the next round. A move that is added before the first call of this function happens before
 * any message is sent. */
KP_API void kp_build_round(kp_builder *b);

/* `kp_build_send` begins a message to rank `peer`, sent on this processor's port `port` in this
 * round. `kp_build_receive` begins a receive: the receiver's side of a message from rank `peer`,
 * received on this processor's port `port`. `kp_build_piece` adds a piece to the message or receive
 * that was begun last: units to send, or places for received units. A message and its receive have
 * the same length. In a round there is at most one message from one processor to another. */
KP_API void kp_build_send(kp_builder *b, int port, int peer);
KP_API void kp_build_receive(kp_builder *b, int port, int peer);
KP_API void kp_build_piece(kp_builder *b, kp_piece piece);

/* How a received operand combines with a present operand. The side matters if the operator is not
 * commutative. */
typedef enum kp_combining {
    KP_COPY,  /* the received data overwrites the present data */
    KP_LEFT,  /* received op present */
    KP_RIGHT, /* present op received */
} kp_combining;

/* `kp_build_combine` begins a receive whose units are combined with units that are already present.
 * The pieces that follow are the places of the results. `kp_build_operand`, called after these
 * pieces, names the pieces that hold the present units. By default, the result pieces hold them.
 * The receives of a round combine in the order of their ports, so several receives may combine into
 * the same pieces. A round may send pieces that are operands. It may not send pieces that it
 * writes. */
KP_API void kp_build_combine(kp_builder *b, int port, int peer, kp_combining side);
KP_API void kp_build_operand(kp_builder *b, kp_piece piece);

/* Combines two pieces of this processor. The combination takes its turn among the moves of the
 * round (kp_build_move), in the order of the calls. `to` becomes `from` op `to` (KP_LEFT) or `to`
 * op `from` (KP_RIGHT). */
KP_API void kp_build_fold(kp_builder *b, kp_piece from, kp_piece to, kp_combining side);

/* Copies unit i of `from` to unit i of `to`, for all i. The moves of a round happen after its
 * receives, in the order of the calls. A move may not overwrite data that the round sent. */
KP_API void kp_build_move(kp_builder *b, kp_piece from, kp_piece to);

/* --- Algorithms --- */

/* A parameter of an algorithm. Its value is a number low ... high, or one of several words, where 1
 * stands for the first word. If a call gives no value, kport takes the value with the least
 * predicted time. */
typedef struct kp_parameter {
    const char *name; /* the key in problem strings; NULL ends the list of parameters */
    const char *summary;
    const char *range; /* the range as text, "low ... high"; NULL if the values are words */
    long (*low)(const kp_problem *problem);
    long (*high)(const kp_problem *problem);
    const char *const *words; /* the words, ended by NULL; NULL if the values are numbers */
} kp_parameter;

/* An algorithm: a row of the library's table, or a row of the user's own. The user passes such a
 * row to a call in kp_hints (collective.h), or registers it (kp_algorithm_register). */
struct kp_algorithm {
    kp_operation operation;
    const char *name;
    const char *summary; /* a description in one line */
    const char *source;  /* the paper, section and theorem that the algorithm comes from */
    kp_symmetry symmetry;
    kp_parameter parameters[KP_PARAMETERS + 1];

    /* `restriction` is a text that says which n and k the algorithm requires (NULL: it requires
     * nothing). `serves` returns NULL if the algorithm serves the problem. Otherwise it returns the
     * reason, which is usually `restriction`. If `serves` is NULL, it serves all. */
    const char *restriction;
    const char *(*serves)(const kp_problem *problem);

    /* Returns 1 if the schedule splits blocks. A unit of such a schedule is a byte or an element
     * (kp_piece), and the schedule depends on b. If `splits` is NULL, the algorithm never splits
     * blocks. */
    int (*splits)(const kp_problem *problem);

    /* Writes the rounds of processor problem->rank; if there is a symmetry, those of rank 0. The
     * problem has values of all parameters. Unless own_root is set, the root is 0 and the target is
     * counted from the root. Returns 0 or a status. */
    int (*build)(kp_builder *b, const kp_problem *problem);

    /* If this field is set, kport does not call `build`. The schedule is the schedule of
     * `mirror_of` run backwards. If `and_back` is set, the schedule of `mirror_of` follows, run
     * forwards. `symmetry` is that of `mirror_of`, or KP_NO_SYMMETRY. */
    const kp_algorithm *mirror_of;
    int and_back;

    /* 1: `build` writes the schedule for the problem's root. 0: `build` writes the schedule for
     * root 0, and kport counts ranks from the root. */
    int own_root;

    /* If this field is set, kport ignores `build` and `mirror_of`. The field points to an algorithm
     * of another operation, whose schedule this row uses, with blocks as units. If that algorithm
     * splits blocks, kport asks it for blocks of one byte. A parameter of that algorithm is 0 if
     * this row does not declare it. If that algorithm is the library's and this row is not, this
     * row must declare all parameters of that algorithm, in the same order. */
    const kp_algorithm *same_schedule_as;

    /* In the v forms: the number of bytes that carry the length of a block, if the receiver cannot
     * know the length. These bytes travel with the block and count in C2. */
    int length_bytes;
    /* In the v forms: 1 if every block is padded to the length of the longest block. Then the
     * operation moves equal blocks, and each block is copied before and after the operation. A
     * reduction cannot pad, because its operator would combine the padding. */
    int pads;

    /* Stores C1, and C2 in bytes, computed by the formulas at the head of the algorithm's file.
     * NULL: no formula is known, and kport takes the lowest value of each open parameter. kport
     * does not choose such an algorithm by itself. */
    void (*stated_cost)(const kp_problem *problem, uint64_t *c1, uint64_t *c2);

    /* Stores the C1 and the C2 of the messages between processes, and how many processors of a
     * process send such messages in a round. NULL: the same C1 and C2 as `stated_cost`, and all
     * processors. kport calls it only if per_process is greater than 1. */
    void (*stated_between)(const kp_problem *problem, uint64_t *c1, uint64_t *c2, int *senders);

    /* 1: in every problem that the algorithm serves, each element that several processors get is
     * combined in the same order at all of them. If the operator commutes, a op b and b op a are
     * the same order. Only an allreduce gives an element to several processors: all other
     * reductions have the property whatever this field is. The check of a schedule that is not the
     * library's finds out whether the field is right (kp_hints). */
    int same_order;
};

/* Returns row i of the table of algorithms; NULL past the end. The table has the library's rows and
 * the registered ones. It is ordered by operations. If another thread registers or unregisters a
 * row meanwhile, who walks the table may miss a row or meet a row twice. */
KP_API const kp_algorithm *kp_algorithm_at(int i);

/* Returns the operation's algorithm of this name, or NULL. */
KP_API const kp_algorithm *kp_algorithm_find(kp_operation operation, const char *name);

/* `kp_algorithm_register` puts a row of the user's own into the table of algorithms, behind the
 * other rows of its operation. From then on problem strings know its name, and kport may choose it
 * by its stated_cost. As with every algorithm that is not the library's own, a call checks the
 * schedule before it executes the schedule for the first time, and fails with KP_ESCHEDULE or
 * KP_EUNCHECKED if the schedule is wrong or too large to be checked. The function itself builds no
 * schedule. `headers` is KP_HEADERS and `size` is sizeof(kp_algorithm), both as the caller was
 * compiled. The row, and all that it points to, must stay where it is, unchanged, as long as it is
 * registered; over several processes all of them must register the same rows.
 *
 * Errors: KP_EALGORITHM, with a sentence that says what does not fit:
 * - the headers of another version, or another size;
 * - a field that is necessary and missing, or impossible (name, operation, build, parameters);
 * - a name that is not 1 ... 40 letters, digits and - _ + . ; a parameter with the name of a key of
 *   problem strings;
 * - an algorithm of the operation that has this name already; more than 256 rows.
 *
 * `kp_algorithm_unregister` takes a registered row out of the table. A shared object calls it for
 * its rows before it is unloaded. Machines, plans, schedules and profiles may hold the address of
 * any row. While there is one of these in the process, the function changes nothing and returns
 * KP_EBUSY; then the shared object must stay loaded. The caller must keep no problem and no hints
 * that name the row, and no other thread may be within a function of this header, of model.h or of
 * profile.h that was given or returns such a problem. Errors: KP_EBUSY, and KP_EALGORITHM if the
 * row is not one that was registered.
 *
 * Any thread may call these functions at any time, also while others communicate. */
KP_API int kp_algorithm_register(const kp_algorithm *algorithm, const char *headers,
                                 size_t size) KP_MUST_CHECK;
KP_API int kp_algorithm_unregister(const kp_algorithm *algorithm);

/* The function that a shared object for `kport --load FILE.so` defines: `KP_ENTRY int
 * kport_load(void)`. The program calls it once. It registers the object's algorithms, and returns 0
 * or the status of a registration. kport itself has no such function. */
#define KP_ENTRY KP_API
KP_ENTRY int kport_load(void);

/* --- Built schedules --- */

/* `kp_schedule_build` builds the schedule of a problem. First kp_tune, with the built-in model,
 * chooses what the problem leaves open. Unless the algorithm has own_root, the schedule is written
 * for root 0: for another root, count ranks and places from that root. The function does not check
 * the schedule; kp_schedule_check does. Errors (kp_last_error): KP_EPROBLEM, KP_EUNSERVED,
 * KP_EMEMORY, and KP_ESCHEDULE, for example if a message has no receive. `kp_schedule_free` frees a
 * schedule, which may be NULL. */
KP_API int kp_schedule_build(const kp_problem *problem, kp_schedule **schedule) KP_MUST_CHECK;
KP_API void kp_schedule_free(kp_schedule *schedule);

/* Returns the problem that the schedule serves. The problem names the algorithm and all parameters.
 * The result is valid as long as the schedule exists. */
KP_API const kp_problem *kp_schedule_problem(const kp_schedule *schedule);

KP_API int kp_schedule_rounds(const kp_schedule *schedule);

/* `kp_schedule_units` returns the number of units in a space. `kp_schedule_unit_of_block` returns
 * the number of units in a block. If the schedule splits blocks, the units of a block are its bytes
 * or elements. Otherwise a block is one unit. */
KP_API int64_t kp_schedule_units(const kp_schedule *schedule, kp_space space);
KP_API int64_t kp_schedule_unit_of_block(const kp_schedule *schedule);

/* A message as its sender or its receiver sees it. "This processor" is the one for which the
 * functions below are called. */
typedef struct kp_message {
    int port; /* this processor's port */
    int peer; /* the other processor's rank in the group, not counted from the root */
    const kp_piece *pieces;
    int piece_count;
    int64_t units;           /* the length in units */
    int64_t row;             /* the message's place in its sender's eager buffer, in units */
    kp_combining combining;  /* how the receiver combines the message; KP_COPY for a sent message */
    const kp_piece *operand; /* the present operands, as many units as the pieces have; or NULL */
    int operand_count;
} kp_message;

/* `kp_schedule_sends` and `kp_schedule_receives` return the number of messages that a processor
 * sends or receives in a round. `kp_schedule_send` and `kp_schedule_receive` return message i. */
KP_API int kp_schedule_sends(const kp_schedule *schedule, int rank, int round);
KP_API int kp_schedule_receives(const kp_schedule *schedule, int rank, int round);
KP_API kp_message kp_schedule_send(const kp_schedule *schedule, int rank, int round, int i);
KP_API kp_message kp_schedule_receive(const kp_schedule *schedule, int rank, int round, int i);

/* A move of data within a processor, after the receives of a round. The moves of round -1 come
 * before the first round. `kp_schedule_moves` returns the number of moves of a processor in a
 * round. `kp_schedule_move` returns move i. */
typedef struct kp_move {
    kp_piece from, to;
    kp_combining combining;
} kp_move;
KP_API int kp_schedule_moves(const kp_schedule *schedule, int rank, int round);
KP_API kp_move kp_schedule_move(const kp_schedule *schedule, int rank, int round, int i);

/* Returns where position `position` of a piece lies at processor `rank`: the distance from the
 * beginning of the space, in units. Returns -1 if the position is outside the space. */
KP_API int64_t kp_schedule_place(const kp_schedule *schedule, int rank, kp_space space,
                                 int64_t position);

/* Checks a schedule. The check moves symbolic units as the rounds of all n processors say, and
 * looks where the units end up. The check uses neither the builders nor the executor. `error` may
 * be NULL. Errors: KP_EMEMORY, or KP_ESCHEDULE with a sentence that names round, processor, port
 * and peer. These are the causes of KP_ESCHEDULE:
 * - a processor sends or receives more than k messages in a round, or uses a port twice, or sends
 *   two messages to the same receiver;
 * - a message has no receive, a receive has no message, or their lengths differ;
 * - two packed messages overlap in an eager buffer;
 * - a unit is read before it arrived; a round reads and writes the same place, or writes it twice;
 * - a unit is missing or wrong at the end;
 * - an operand of a reduction is counted twice, left out, combined with an operand of another
 *   place, or combined out of order although the order matters. */
KP_API int kp_schedule_check(const kp_schedule *schedule, kp_error_record *error) KP_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
