/* A trial is a machine, groups on it, and a sequence of steps, some of which go wrong on purpose.
 * All processors go through the steps in the same order, and each takes part in the steps of its
 * groups. A trial is drawn from a seed, written as text and read back, carried out, judged, and
 * made smaller while it still fails. `kport soak` and the tests share these files. */
#ifndef KPORT_TOOLS_TRIAL_H
#define KPORT_TOOLS_TRIAL_H

#include "kport.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TRIAL_GROUPS   6  /* the first group is the world */
#define TRIAL_MEMBERS  64 /* the most members of a group other than the world */
#define TRIAL_SENTENCE 900

/* The kinds of calls that a step makes. */
enum trial_kind {
    TRIAL_COLLECTIVE,
    TRIAL_BARRIER,
    TRIAL_SEND_RECV,
    TRIAL_EXCHANGE,
    TRIAL_ROUTE,
    TRIAL_KINDS
};

/* The fault of a step: what one processor does instead of its part in the step. */
enum trial_fault {
    TRIAL_NO_FAULT,
    /* The processor ends its program before the step. */
    TRIAL_RETURNS,
    TRIAL_RETURNS_NUMBER,
    TRIAL_FAILS,
    TRIAL_EXITS,
    TRIAL_IS_CANCELLED,
    /* It arrives after the time limit. */
    TRIAL_IS_LATE,
    /* It makes the next step, which belongs to another group, before this one. */
    TRIAL_CROSSES,
    /* It omits this step and goes to the next one, which belongs to the same group. */
    TRIAL_LEAVES_OUT,
    /* It makes a different call. */
    TRIAL_OTHER_SIZE,
    TRIAL_OTHER_ROOT,
    TRIAL_OTHER_OPERATOR,
    TRIAL_OTHER_OPERATION,
    /* It passes arguments that kport refuses. */
    TRIAL_NULL,
    TRIAL_BAD_ROOT,
    TRIAL_BAD_HOW,
    TRIAL_BAD_OPERATOR,
    TRIAL_TOO_LARGE,
    TRIAL_BAD_PEER,
    TRIAL_BAD_PORT,
    /* One message of its round differs from what its peer expects, or is not received. */
    TRIAL_OTHER_LENGTH,
    TRIAL_SENDS_NOTHING,
    TRIAL_TAKES_NOTHING,
    TRIAL_FAULTS
};

struct trial_group {
    int size;
    int members[TRIAL_MEMBERS]; /* processors in the order of their ranks; unused for the world */
};

struct trial_step {
    enum trial_kind kind;
    int group;
    kp_problem problem; /* the problem of a collective; its n and k are the group's */
    size_t bytes;     /* the length of the longest message of a round, or the bytes to be routed */
    uint64_t seed;    /* the seed of the data, and of senders and receivers */
    int repeats;      /* the number of successive calls */
    int persistent;   /* the calls use a persistent plan */
    int own_operator; /* the calls use a user's operator, equal to the built-in one */
    enum trial_fault fault;
    int who; /* the processor with the fault */
};

struct trial {
    kp_config machine;
    int attached; /* attached threads carry out the trial, instead of a run */
    int delays;   /* one call in so many is delayed; 0: no delays */
    uint64_t delay_seed;
    int groups, steps;
    struct trial_group group[TRIAL_GROUPS];
    struct trial_step *step;
};

/* --- Drawing (trial_draw.c) --- */

struct trial_scope {
    int most_processors; /* the most processors; most trials have few */
    int most_steps;
    size_t most_bytes; /* the longest block */
    bool may_exit;     /* processors that are fibers may call pthread_exit or be cancelled; threads
                          always may */
    int faults; /* the number of steps out of 1000 that have a fault which does not end the trial */
    int endings; /* the number of trials out of 1000 that end by a fault */
};

/* Draws a machine, and whether threads attach to it. */
void trial_draw_machine(struct trial *trial, uint64_t *random, const struct trial_scope *scope);

/* Draws groups and steps for the machine. Returns false if there is no memory. */
bool trial_draw(struct trial *trial, uint64_t *random, const struct trial_scope *scope);

void trial_free(struct trial *trial);
bool trial_copy(struct trial *to, const struct trial *from);

/* Corrects numbers that contradict each other, so that the trial is valid. Called after reading and
 * after making smaller. */
void trial_settle(struct trial *trial);

/* --- What is in it --- */

/* `trial_rank` returns a processor's rank in a group, or -1 if the processor is no member. The
 * other functions return a group's size, its ports, and the processor with a rank. */
int trial_rank(const struct trial *trial, int group, int processor);
int trial_size(const struct trial *trial, int group);
int trial_ports(const struct trial *trial, int group);
int trial_member(const struct trial *trial, int group, int rank);

/* Returns whether the barrier keeps the step's rounds. Then either all members complete the step,
 * or none. */
bool trial_kept_by_barrier(const struct trial *trial, const struct trial_step *step);

/* --- Faults (trial_fault.c) --- */

/* Returns whether the step can have this fault at processor `who`. */
bool trial_fault_fits(const struct trial *trial, int step, enum trial_fault fault, int who);

/* Returns whether the step's fault ends the trial for the processors that it concerns. */
bool trial_fault_ends(const struct trial *trial, const struct trial_step *step);

/* Returns the step whose fault ends the trial, or `steps` if no fault does. */
int trial_ending(const struct trial *trial);

/* Removes faults that do not fit their steps. */
void trial_drop_unfit(struct trial *trial);

/* --- Text (trial_text.c) --- */

/* Writes a line for the machine, one for each group, and one for each step. */
void trial_print(const struct trial *trial, FILE *out);

/* Reads these lines. Returns false after a message on stderr. */
bool trial_read(FILE *in, struct trial *trial);

const char *trial_fault_name(enum trial_fault fault);

/* --- Carrying out (trial_run.c) --- */

struct trial_result {
    uint64_t operations; /* the number of calls that all members of a group completed with every
                            byte right */
    uint64_t planted, named;
    uint64_t wrong_bytes;           /* the number of buffers with a wrong byte */
    char shortfall[TRIAL_SENTENCE]; /* the first deviation from what must happen; "": none */
};

/* What a test of the soak does to the calls. The pointer and each field may be NULL. */
struct trial_sabotage {
    /* Called after a right call. May change its data; returns whether it did. */
    bool (*corrupt)(const struct trial *trial, int step, int rank, unsigned char *in, size_t bytes);
    /* Returns whether the call is left out. */
    bool (*omit)(const struct trial *trial, int step, int rank);
    bool mistell; /* errors are judged as if they were about another processor */
};
extern struct trial_sabotage trial_sabotage;

/* Carries the trial out on a machine made for it, without traces of earlier trials. Returns false
 * if there is a shortfall. */
bool trial_run(kp_machine *machine, const struct trial *trial, struct trial_result *result);

/* Carries the trial out on a machine of its own. */
bool trial_run_alone(const struct trial *trial, struct trial_result *result);

/* --- Making smaller (trial_shrink.c) --- */

/* Makes a failing trial as small as possible while `fails` returns true for it. Makes at most
 * `attempts` attempts. Returns the number of attempts. */
int trial_shrink(struct trial *trial, bool (*fails)(const struct trial *trial, void *context),
                 void *context, int attempts);

#endif
