/* A trial is a machine, groups on this machine, and a sequence of steps. In a step all members of
 * one group make the same call. In some steps one processor does something wrong on purpose (the
 * step's fault). All processors go through the steps in the same order. Each takes part in the
 * steps of its groups.
 *
 * A trial is drawn at random from a seed. A trial can be written as text and read back. When a
 * trial is carried out, all results and errors are judged; the trial fails if one of them is wrong.
 * A failing trial is made smaller as long as it still fails. `kport soak` and the tests share
 * trial.h and the files trial_*.c. */
#ifndef KPORT_TOOLS_TRIAL_H
#define KPORT_TOOLS_TRIAL_H

#include "kport.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TRIAL_GROUPS   6  /* the largest number of groups; group 0 has all processors */
#define TRIAL_MEMBERS  64 /* the largest number of members of a group other than group 0 */
#define TRIAL_SENTENCE 900

/* The kind of call that the members make in a step. */
enum trial_kind {
    TRIAL_COLLECTIVE,
    TRIAL_BARRIER,
    TRIAL_SEND_RECV,
    TRIAL_EXCHANGE,
    TRIAL_ROUTE,
    TRIAL_MESSAGES, /* messages with tags, all of which are started, and then waited for */
    TRIAL_KINDS
};

/* The fault of a step: what one processor does wrong. */
enum trial_fault {
    TRIAL_NO_FAULT,
    /* The processor ends its program before the step. */
    TRIAL_RETURNS,
    TRIAL_RETURNS_NUMBER,
    TRIAL_FAILS,
    TRIAL_EXITS,
    TRIAL_IS_CANCELLED,
    /* The processor arrives after the time limit. */
    TRIAL_IS_LATE,
    /* The processor makes the call of the next step, which belongs to another group, before the
     * call of this step. */
    TRIAL_CROSSES,
    /* The processor omits this step and makes the call of the next step, which belongs to the same
     * group. */
    TRIAL_LEAVES_OUT,
    /* The processor makes a call that differs from the other members' call. */
    TRIAL_OTHER_SIZE,
    TRIAL_OTHER_ROOT,
    TRIAL_OTHER_OPERATOR,
    TRIAL_OTHER_OPERATION,
    /* The processor passes arguments that kport refuses. */
    TRIAL_NULL,
    TRIAL_BAD_ROOT,
    TRIAL_BAD_HOW,
    TRIAL_BAD_OPERATOR,
    TRIAL_TOO_LARGE,
    TRIAL_BAD_PEER,
    TRIAL_BAD_PORT,
    /* One message of the processor is wrong: its length is not the length that the peer expects, or
     * the processor does not send it, or does not receive it. */
    TRIAL_OTHER_LENGTH,
    TRIAL_SENDS_NOTHING,
    TRIAL_TAKES_NOTHING,
    /* The elements of one message are other ones than the peer expects, in as many bytes. */
    TRIAL_OTHER_ELEMENTS,
    TRIAL_FAULTS
};

struct trial_group {
    int size;
    int members[TRIAL_MEMBERS]; /* the processor of each rank; unused for group 0 */
};

struct trial_step {
    enum trial_kind kind;
    int group;
    kp_problem problem; /* the problem of a TRIAL_COLLECTIVE; n and k are the group's numbers of
                           members and of ports */
    size_t bytes;       /* the bytes of the longest message, in a step with messages */
    uint64_t seed;      /* the seed of the data, and of who sends to whom in a step with messages */
    int repeats;        /* the number of successive calls in this step */
    int persistent;     /* the calls execute a persistent plan */
    int started;        /* the calls are started, between two barriers that are started, too */
    int laid;           /* blocks or messages have layouts */
    int own_operator; /* the calls use an operator of the trial itself, with the same results as the
                         built-in one */
    enum trial_fault fault;
    int who; /* the processor that makes the fault */
};

struct trial {
    kp_config machine;
    int attached; /* threads of the trial attach to the machine; otherwise the machine starts
                     threads */
    int delays;   /* a processor delays a step with probability 1 / `delays`; 0: no delays */
    uint64_t delay_seed;
    int groups, steps;
    struct trial_group group[TRIAL_GROUPS];
    struct trial_step *step;
};

/* --- Drawing a trial (trial_draw.c) --- */

struct trial_scope {
    int most_processors; /* the largest number of processors; most trials have few processors */
    int most_steps;
    size_t most_bytes; /* the length of the longest block */
    bool may_exit;     /* a fiber may call pthread_exit or be cancelled; a thread always may */
    int faults;  /* how many of 1000 steps, on average, have a fault that does not end the trial */
    int endings; /* how many of 1000 trials, on average, have a fault that ends the trial */
};

/* Draws the configuration of the trial's machine, and whether threads of the trial attach to it. */
void trial_draw_machine(struct trial *trial, uint64_t *random, const struct trial_scope *scope);

/* Makes the drawn machine one over the processes of an MPI, as `config` says. Such a machine has no
 * mailboxes, no seed and no attached threads. */
void trial_draw_over(struct trial *trial, const kp_config *config);

/* Draws the trial's groups and steps, for its machine. Returns false if there is no memory. */
bool trial_draw(struct trial *trial, uint64_t *random, const struct trial_scope *scope);

void trial_free(struct trial *trial);
bool trial_copy(struct trial *to, const struct trial *from);

/* Changes numbers that contradict each other, so that the trial is valid. This is needed after a
 * trial was read or made smaller. */
void trial_settle(struct trial *trial);

/* --- Groups and steps of a trial (trial.c) --- */

/* `trial_rank` returns the rank of a processor in a group, or -1 if the processor is not a member.
 * `trial_size` returns the number of members of a group, and `trial_members_here` how many of them
 * this process has (processes.h). `trial_ports` returns the number of the group's ports.
 * `trial_member` returns the processor with rank `rank` in a group. */
int trial_rank(const struct trial *trial, int group, int processor);
int trial_size(const struct trial *trial, int group);
int trial_members_here(const struct trial *trial, int group);
int trial_ports(const struct trial *trial, int group);
int trial_member(const struct trial *trial, int group, int rank);

/* Returns whether the fault that ends the trial can reach a member that is still at an earlier
 * step. By the barrier it cannot. */
bool trial_may_overtake(const struct trial *trial);

/* Returns whether the step's rounds are kept apart by the barrier, and not by mailboxes. By the
 * barrier, either all members complete a step or no member does. */
bool trial_kept_by_barrier(const struct trial *trial, const struct trial_step *step);

/* --- Faults (trial_fault.c) --- */

/* Returns whether processor `who` can have this fault at this step. */
bool trial_fault_fits(const struct trial *trial, int step, enum trial_fault fault, int who);

/* Returns whether the step's fault ends the trial, for all processors that the fault affects. */
bool trial_fault_ends(const struct trial *trial, const struct trial_step *step);

/* Returns the number of the step whose fault ends the trial, or `steps` if there is no such
 * fault. */
int trial_ending(const struct trial *trial);

/* Removes each fault that does not fit (trial_fault_fits) from its step. */
void trial_drop_unfit(struct trial *trial);

/* --- Trials as text (trial_text.c) --- */

/* Writes a line for the machine, a line for each group, and a line for each step. */
void trial_print(const struct trial *trial, FILE *out);

/* Reads a trial from the lines that trial_print has written. On an error prints an error message on
 * stderr and returns false. */
bool trial_read(FILE *in, struct trial *trial);

const char *trial_fault_name(enum trial_fault fault);

/* --- Carrying out a trial (trial_run.c) --- */

struct trial_result {
    uint64_t operations; /* the number of calls that every member of the group has completed with
                            every byte right */
    uint64_t planted, named;
    uint64_t wrong_bytes; /* the number of buffers or messages in which a byte was wrong */
    char shortfall[TRIAL_SENTENCE]; /* a sentence about the first wrong result or error; empty if
                                       there is none */
};

/* The disturbances that a test makes in a trial, to see whether they are detected (plant.h). Each
 * pointer may be NULL. */
struct trial_sabotage {
    /* Called after a call whose result is right. May change the received data. Returns whether it
     * has changed them. */
    bool (*corrupt)(const struct trial *trial, int step, int rank, unsigned char *in, size_t bytes);
    /* Returns whether this member leaves out its call in the step. */
    bool (*omit)(const struct trial *trial, int step, int rank);
    bool mistell; /* every error is judged as if it named another processor */
};
extern struct trial_sabotage trial_sabotage;

/* Carries out the trial on `machine`, which was made with the trial's configuration. Earlier trials
 * on this machine do not change the result. If a result or an error is wrong, writes a sentence
 * about it to `result->shortfall` and returns false. */
bool trial_run(kp_machine *machine, const struct trial *trial, struct trial_result *result);

/* Makes a machine for the trial, and carries out the trial on it. Returns the same as trial_run. */
bool trial_run_alone(const struct trial *trial, struct trial_result *result);

/* --- Making a trial smaller (trial_shrink.c) --- */

/* Makes a failing trial as small as possible. `fails` returns whether a smaller trial still fails.
 * The function tries at most `attempts` smaller trials, and returns how many it has tried. */
int trial_shrink(struct trial *trial, bool (*fails)(const struct trial *trial, void *context),
                 void *context, int attempts);

#endif
