/* A trial: a machine, groups on it, a sequence of calls that all processors go through in the same
 * order, each taking part in those of its groups, and what goes wrong in them on purpose. Drawn
 * from a seed, written as text and read back, carried out, judged, and made smaller while it still
 * fails. Shared by `kport soak` and the tests. */
#ifndef KPORT_TOOLS_TRIAL_H
#define KPORT_TOOLS_TRIAL_H

#include "kport.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TRIAL_GROUPS   6  /* the world is the first */
#define TRIAL_MEMBERS  64 /* of another one */
#define TRIAL_SENTENCE 900

/* What a step calls. */
enum trial_kind {
    TRIAL_COLLECTIVE,
    TRIAL_BARRIER,
    TRIAL_SEND_RECV,
    TRIAL_EXCHANGE,
    TRIAL_ROUTE,
    TRIAL_KINDS
};

/* What a processor does instead of taking part as it should. */
enum trial_fault {
    TRIAL_NO_FAULT,
    /* It does not come: it leaves, */
    TRIAL_RETURNS,
    TRIAL_RETURNS_NUMBER,
    TRIAL_FAILS,
    TRIAL_EXITS,
    TRIAL_IS_CANCELLED,
    /* comes after the time limit, */
    TRIAL_IS_LATE,
    /* goes to the next step first, which is one of another group, */
    TRIAL_CROSSES,
    /* or to the next one at once, which is one of the same group. */
    TRIAL_LEAVES_OUT,
    /* It calls something else. */
    TRIAL_OTHER_SIZE,
    TRIAL_OTHER_ROOT,
    TRIAL_OTHER_OPERATOR,
    TRIAL_OTHER_OPERATION,
    /* Its arguments are refused. */
    TRIAL_NULL,
    TRIAL_BAD_ROOT,
    TRIAL_BAD_HOW,
    TRIAL_BAD_OPERATOR,
    TRIAL_TOO_LARGE,
    TRIAL_BAD_PEER,
    TRIAL_BAD_PORT,
    /* One message of its round is not as its peer expects, or not taken. */
    TRIAL_OTHER_LENGTH,
    TRIAL_SENDS_NOTHING,
    TRIAL_TAKES_NOTHING,
    TRIAL_FAULTS
};

struct trial_group {
    int size;
    int members[TRIAL_MEMBERS]; /* processors in the order of their ranks; of the world nothing */
};

struct trial_step {
    enum trial_kind kind;
    int group;
    kp_problem problem; /* of a collective; n and k are the group's */
    size_t bytes;       /* of the longest message of a round, or to be routed */
    uint64_t seed;      /* of the data, and of who sends what to whom */
    int repeats;        /* calls in a row */
    int persistent;     /* by a plan */
    int own_operator;   /* by a user's operator that does the same */
    enum trial_fault fault;
    int who; /* processor that has it */
};

struct trial {
    kp_config machine;
    int attached; /* by threads that are attached, instead of a run */
    int delays;   /* one call in so many comes late; 0: none */
    uint64_t delay_seed;
    int groups, steps;
    struct trial_group group[TRIAL_GROUPS];
    struct trial_step *step; /* allocated */
};

/* --- Drawing (trial_draw.c) --- */

struct trial_scope {
    int most_processors; /* now and then; mostly there are few */
    int most_steps;
    size_t most_bytes; /* of a block */
    bool may_exit;     /* threads may be cancelled and exit where processors are fibers */
    int faults;        /* of 1000 steps so many have one that does not end the trial */
    int endings;       /* of 1000 trials so many end by a fault */
};

/* A machine, and whether threads attach to it. */
void trial_draw_machine(struct trial *trial, uint64_t *random, const struct trial_scope *scope);

/* Groups and steps for it. False if there is no memory. */
bool trial_draw(struct trial *trial, uint64_t *random, const struct trial_scope *scope);

void trial_free(struct trial *trial);
bool trial_copy(struct trial *to, const struct trial *from);

/* Makes of numbers that may not go together a trial that can be: after reading, and after making
 * smaller. */
void trial_settle(struct trial *trial);

/* --- What is in it --- */

/* The rank of a processor in a group, -1 if it is no member; the size; the ports. */
int trial_rank(const struct trial *trial, int group, int processor);
int trial_size(const struct trial *trial, int group);
int trial_ports(const struct trial *trial, int group);
int trial_member(const struct trial *trial, int group, int rank);

/* Whether a step's rounds are kept by the barrier: either all members complete it, or none. */
bool trial_kept_by_barrier(const struct trial *trial, const struct trial_step *step);

/* --- Faults (trial_fault.c) --- */

/* Whether a step can have that fault, at that processor. */
bool trial_fault_fits(const struct trial *trial, int step, enum trial_fault fault, int who);

/* Whether processors stop at it, the trial being over for those it concerns; else they go on. */
bool trial_fault_ends(const struct trial *trial, const struct trial_step *step);

/* The step at which the trial ends by its fault; `steps` if there is none. */
int trial_ending(const struct trial *trial);

/* Takes away faults that do not fit where they are. */
void trial_drop_unfit(struct trial *trial);

/* --- Text (trial_text.c) --- */

/* A line for the machine, one for each group, one for each step. */
void trial_print(const struct trial *trial, FILE *out);

/* The same read. False after a message on stderr. */
bool trial_read(FILE *in, struct trial *trial);

const char *trial_fault_name(enum trial_fault fault);

/* --- Carrying out (trial_run.c) --- */

struct trial_result {
    uint64_t operations; /* calls of a group, done by all members, every byte right */
    uint64_t planted, named;
    uint64_t wrong_bytes;           /* buffers with a wrong byte */
    char shortfall[TRIAL_SENTENCE]; /* the first thing that is not as it should be; "": none */
};

/* What a test of the test does to the calls. May be NULL, and each field too. */
struct trial_sabotage {
    /* After a right call: may change its data. Returns whether it did. */
    bool (*corrupt)(const struct trial *trial, int step, int rank, unsigned char *in, size_t bytes);
    /* Instead of the call. */
    bool (*omit)(const struct trial *trial, int step, int rank);
    bool mistell; /* errors are taken to be about somebody else */
};
extern struct trial_sabotage trial_sabotage;

/* On a machine made for it, with nothing left of an earlier trial. False if there is a shortfall.
 */
bool trial_run(kp_machine *machine, const struct trial *trial, struct trial_result *result);

/* On a machine of its own. */
bool trial_run_alone(const struct trial *trial, struct trial_result *result);

/* --- Making smaller (trial_shrink.c) --- */

/* Makes a trial that fails as small as it can be while `fails` says that it still does. Gives up
 * after so many attempts. Returns how many there were. */
int trial_shrink(struct trial *trial, bool (*fails)(const struct trial *trial, void *context),
                 void *context, int attempts);

#endif
