/* A shared object that is preloaded into a program of an MPI (LD_PRELOAD). It takes over the
 * program's blocking collectives through MPI's profiling interface, and carries them out with
 * kport's algorithms over a machine of MPI processes (KP_CARRIER_MPI).
 *
 * A collective is either taken at all members or passed on at all members to the MPI's own
 * (PMPI_...). So this decision depends only on values that MPI guarantees to be equal at all
 * members: the operation, the communicator and, in reductions, the operator and the type. There is
 * one exception. A call with an argument that is wrong at this member is passed on at this member,
 * because the MPI reports the error before it sends anything. Data types may differ between
 * members, so calls with any data type are taken. Data whose bytes in memory are not what travels
 * is packed by the MPI. */
#ifndef KPORT_TOOLS_PMPI_H
#define KPORT_TOOLS_PMPI_H

#define KP_NO_CALL_SITES
#include "kport.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What a program can see of the preloaded object. */
#define PM_FACE __attribute__((visibility("default")))

/* --- Operations and calls --- */

/* The collectives of MPI that are counted. The second column is the kport operation that serves
 * the collective. */
#define PM_OPERATIONS_OF(X)                                                                        \
    X(ALLGATHER, "MPI_Allgather", KP_CONCAT)                                                       \
    X(ALLGATHERV, "MPI_Allgatherv", KP_CONCATV)                                                    \
    X(ALLREDUCE, "MPI_Allreduce", KP_ALLREDUCE)                                                    \
    X(ALLTOALL, "MPI_Alltoall", KP_INDEX)                                                          \
    X(ALLTOALLV, "MPI_Alltoallv", KP_INDEXV)                                                       \
    X(ALLTOALLW, "MPI_Alltoallw", KP_INDEXV)                                                       \
    X(BARRIER, "MPI_Barrier", KP_BARRIER)                                                          \
    X(BCAST, "MPI_Bcast", KP_BROADCAST)                                                            \
    X(EXSCAN, "MPI_Exscan", KP_SCAN_EXCLUSIVE)                                                     \
    X(GATHER, "MPI_Gather", KP_GATHER)                                                             \
    X(GATHERV, "MPI_Gatherv", KP_GATHERV)                                                          \
    X(REDUCE, "MPI_Reduce", KP_REDUCE)                                                             \
    X(REDUCE_SCATTER, "MPI_Reduce_scatter", KP_REDUCE_SCATTER)                                     \
    X(REDUCE_SCATTER_BLOCK, "MPI_Reduce_scatter_block", KP_REDUCE_SCATTER)                         \
    X(SCAN, "MPI_Scan", KP_SCAN)                                                                   \
    X(SCATTER, "MPI_Scatter", KP_SCATTER)                                                          \
    X(SCATTERV, "MPI_Scatterv", KP_SCATTERV)

enum pm_operation {
#define PM_ENUMERATOR(word, name, kport) PM_##word,
    PM_OPERATIONS_OF(PM_ENUMERATOR)
#undef PM_ENUMERATOR
    PM_OPERATIONS
};

/* Why a call is passed on. The reasons up to PM_ENDED concern all calls of the program. */
#define PM_REASONS_OF(X)                                                                           \
    X(NONE, "taken")                                                                               \
    X(NOT_STARTED, "MPI_Init was not called from C")                                               \
    X(FORTRAN, "the program is in Fortran")                                                        \
    X(THREADS, "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE was provided")                        \
    X(NO_MACHINE, "kport could not start")                                                         \
    X(ENDED, "MPI_Finalize has begun")                                                             \
    X(INTER, "intercommunicator")                                                                  \
    X(OUTSIDE, "processes outside MPI_COMM_WORLD")                                                 \
    X(OPERATOR, "operator that the MPI does not apply to the type")                                \
    X(WRONG, "wrong argument, which the MPI reports")                                              \
    X(TRIED, "tried, to compare times")                                                            \
    X(SLOWER, "the MPI's own is faster")

enum pm_reason {
#define PM_ENUMERATOR(word, text) PM_##word,
    PM_REASONS_OF(PM_ENUMERATOR)
#undef PM_ENUMERATOR
    PM_REASONS
};

/* What is kept for a communicator. */
struct pm_comm {
    enum pm_reason reason; /* why its calls are passed on; PM_NONE: they are taken */
    int n, rank;
    kp_group *group; /* NULL until the first call that needs it */
    int *processors; /* the members' numbers in the machine; NULL: all processors in order */
    struct pm_class *classes; /* of faster.c; NULL: times are not compared */
};

/* A call of the program. After an error `code` is the MPI error code, and functions that get the
 * call do nothing. */
struct pm_call {
    enum pm_operation operation;
    MPI_Comm comm;
    struct pm_comm *members;
    int n, rank, code;
    struct pm_class *class; /* whose time this call measures, or NULL */
    double begun;
};

/* `pm_begin` begins a call. Returns false if the call must be passed on to the MPI. `pm_pass`
 * counts that the call is passed on after all, and returns false. `pm_end` ends a call with the
 * status of the kport call, and returns what the MPI function returns. */
bool pm_begin(struct pm_call *call, enum pm_operation operation, MPI_Comm comm);
bool pm_pass(const struct pm_call *call, enum pm_reason reason);
int pm_end(struct pm_call *call, int status);

/* Returns the kport group of the call's communicator, or NULL after an error. The first call of a
 * communicator waits for the other members here. */
kp_group *pm_group(struct pm_call *call);

/* Ends the call with an error of this member alone. The other members get an error, too. */
void pm_fail(struct pm_call *call, int code, const char *sentence);

/* Checks for a call with a root that the root exists. */
bool pm_root_is(const struct pm_call *call, int root);

/* --- The program's start and end (start.c) --- */

struct pm_state {
    enum pm_reason reason;            /* why all calls are passed on; PM_NONE: calls are taken */
    char sentence[KP_SENTENCE_BYTES]; /* of PM_NO_MACHINE */
    kp_config config;
    kp_machine *machine;
    kp_proc *self;
    MPI_Group world;
    MPI_Comm alone; /* this process, for calls whose errors and messages the program must not see */
    int keyval;     /* of the attribute of a communicator that is its pm_comm */
};
extern struct pm_state pm_state;

/* Makes and frees the keyval. */
int pm_comms_begin(void);
void pm_comms_end(void);

/* --- Settings from the environment (settings.c) --- */

/* Reads the environment at process 0, for all processes. Returns NULL, or the sentence of an error,
 * which is then known to all processes. */
const char *pm_settings_read(void);
bool pm_settings_report(void);
bool pm_settings_faster(void);
bool pm_settings_one_thread(void);
int pm_settings_ports(void);

/* Returns the hints for a call, or NULL if the environment names no algorithm for the operation, or
 * one that does not serve this call. */
const kp_hints *pm_hints(const kp_problem *problem);

/* --- The report (report.c) --- */

void pm_count_passed(enum pm_operation operation, enum pm_reason reason);

/* Counts a call that is taken. `problem` tells which algorithm serves it; NULL: none does. */
void pm_count_taken(enum pm_operation operation, const kp_problem *problem);

/* Prints the report at process 0. All processes call it. */
void pm_report(void);

/* --- Calls that the MPI's own collectives carry out faster (faster.c) --- */

/* Makes what is kept of a communicator's times. Returns false if there is no memory. */
bool pm_classes_make(struct pm_comm *members);

/* Returns whether a call of `bytes` bytes must be passed on, because the MPI is faster or because
 * its time is measured; the call is counted as passed on then. The arguments must be equal at all
 * members. `of_program`: the call has an operator that kport does not know. */
bool pm_is_slower(struct pm_call *call, size_t bytes, bool of_program);

/* Takes the time of a call that ends. `pm_passed` does it for a call that was passed on, and
 * returns `code`. */
void pm_trial_end(const struct pm_call *call);
int pm_passed(const struct pm_call *call, int code);

/* --- Data types (kinds.c) --- */

struct pm_kind {
    MPI_Datatype type;
    size_t size; /* the bytes of an element that travel */
    MPI_Aint extent, true_lb, true_extent;
    bool named; /* a predefined type */
    bool dense; /* the bytes in memory are the bytes that travel */
};

/* Looks at a type. Returns false if there is no such type. */
bool pm_kind_of(MPI_Datatype type, struct pm_kind *kind);

/* Returns whether data of the type can be sent. */
bool pm_is_committed(const struct pm_kind *kind);

/* Copies elements that lie at `from` as bytes to `to`, and back. */
void pm_pack(struct pm_call *call, const struct pm_kind *kind, const void *from, size_t count,
             char *to);
void pm_unpack(struct pm_call *call, const struct pm_kind *kind, const char *from, void *to,
               size_t count);

/* An array of counts or displacements of the program: int or, in the calls of MPI 4 whose names end
 * with _c, MPI_Count or MPI_Aint. */
struct pm_numbers {
    const void *array;
    bool wide;
};
#define PM_NUMBERS(of_program)                                                                     \
    ((struct pm_numbers){of_program, sizeof *(of_program) == sizeof(MPI_Count)})

static inline MPI_Count pm_number(struct pm_numbers numbers, int i)
{
    MPI_Count wide;
    if (!numbers.wide)
        return ((const int *)numbers.array)[i];
    memcpy(&wide, (const char *)numbers.array + (size_t)i * sizeof wide, sizeof wide);
    return wide;
}

/* --- Memory for packed data (parts.c) --- */

/* A call has one piece of memory for each use. */
enum pm_stage {
    PM_STAGE_OUT,
    PM_STAGE_IN,
    PM_STAGE_PACKED,  /* of reductions: elements on their way between user and stage */
    PM_STAGE_SPARE,   /* of operators */
    PM_STAGE_LENGTHS, /* of the v forms: arrays for the outgoing buffer */
    PM_STAGE_PLACES,  /* the same for the incoming buffer */
    PM_STAGES
};

/* Returns `bytes` bytes of memory, which stay until the call's end. NULL after an error. */
char *pm_stage(struct pm_call *call, enum pm_stage stage, size_t bytes);

/* Frees large pieces at a call's end, or, with `most` 0, all. */
void pm_stages_trim(size_t most);

/* A buffer of the program, as kport sees it. */
struct pm_part {
    struct pm_kind kind;
    char *user;
    size_t count; /* elements */
    size_t bytes; /* kport's bytes */
    char *data;   /* where kport's bytes are: `user` or a stage */
};

/* Checks the program's arguments for a buffer of `blocks` blocks of `count` elements, and describes
 * it. Returns false, and counts the call as passed on, if an argument is wrong. */
bool pm_part_is(const struct pm_call *call, struct pm_part *part, const void *buffer,
                MPI_Count count, MPI_Datatype type, int blocks);

/* `pm_part_read` makes the bytes of an outgoing part available at `data`. `pm_part_place` gives an
 * incoming part its `data`. `pm_part_fill` puts the elements `first` ... `first + count - 1` of an
 * incoming part into its data, for calls in place. `pm_part_store` brings what has arrived to the
 * program's buffer. */
void pm_part_read(struct pm_call *call, struct pm_part *part);
void pm_part_place(struct pm_call *call, struct pm_part *part);
void pm_part_fill(struct pm_call *call, struct pm_part *part, size_t first, size_t count);
void pm_part_store(struct pm_call *call, struct pm_part *part);

bool pm_parts_overlap(const struct pm_part *a, const struct pm_part *b);

/* Moves an outgoing part away that lies in the memory of an incoming part. */
void pm_part_separate(struct pm_call *call, struct pm_part *out, const struct pm_part *in);

/* Returns whether the program passes one buffer as two where the MPI reports this as an error.
 * `pm_same_buffer` then also counts the call as passed on. A root must not pass such a call on: the
 * other members take it. So the root takes part, and then lets the MPI report the error. */
bool pm_is_same_buffer(const struct pm_call *call, const void *out, const void *in, size_t bytes);
bool pm_same_buffer(const struct pm_call *call, const void *out, const void *in, size_t bytes);

/* --- Operators (operators.c) --- */

/* What a reduction combines. kport moves cells, of `cell` bytes each. A cell has an element. */
struct pm_terms {
    struct pm_kind kind;
    MPI_Op op;
    kp_type type;
    const kp_operator *combiner;
    size_t cell;
    bool direct; /* cells lie at the program's addresses */
    bool whole;  /* cells lie as far apart as elements, so that many can be combined at once */
};

/* Checks operator and type, and describes them. Returns false, and counts the call as passed on, if
 * the MPI itself has to judge them. */
bool pm_terms_is(const struct pm_call *call, struct pm_terms *terms, MPI_Op op, MPI_Datatype type);

/* Prepares the operator for a call. Returns NULL after an error. */
const kp_operator *pm_terms_operator(struct pm_call *call, struct pm_terms *terms);

/* Ends a call with the error of the MPI if it could not combine. */
void pm_terms_check(struct pm_call *call);

/* Copies elements into cells and back. */
void pm_terms_load(struct pm_call *call, const struct pm_terms *terms, const void *from,
                   size_t count, char *to);
void pm_terms_store(struct pm_call *call, const struct pm_terms *terms, const char *from, void *to,
                    size_t count);

#endif
