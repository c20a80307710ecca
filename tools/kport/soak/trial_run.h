/* The data of a trial under way, shared by the files that carry it out: the actors and what each
 * has seen. An actor is a processor in the trial. The trial owns all memory, because a thread that
 * exits takes its stack with it. */
#ifndef KPORT_TOOLS_TRIAL_RUN_H
#define KPORT_TOOLS_TRIAL_RUN_H

#include "tools/kport/run/part.h"
#include "tools/kport/soak/trial.h"

#define TRIAL_LIMIT_NS 1000000000u /* the time within which a fault must be reported */

enum actor_end {
    ACTOR_UNDER_WAY,
    ACTOR_FINISHED, /* all its steps are done */
    ACTOR_LEFT,     /* it left as its fault demands */
    ACTOR_STOPPED,  /* a call returned an error, which ended its program */
};

struct actor {
    struct trial_under_way *run;
    int number;
    kp_proc *self;
    kp_group *members[TRIAL_GROUPS];
    struct part part;
    kp_problem other; /* the problem that it calls instead of the step's */
    kp_plan *plan;
    unsigned char *memory; /* the memory of outgoing messages */
    kp_arrivals arrivals;
    const struct trial_step *routed; /* the step whose arrivals `arrivals` has; NULL: none */
    int step;                        /* the current step, or the step at which it stopped */
    enum actor_end end;
    int status;
    kp_error_record error;
    bool told_early;        /* the call itself has reported a message that was not received */
    uint64_t entered, left; /* the times of its latest call and of its end */
    char shortfall[TRIAL_SENTENCE];
};

/* What is known about a step under way. */
struct step_seen {
    atomic_int done; /* the number of members whose calls all succeeded */
    atomic_int told; /* the number of members that got the right error about the step's fault */
    atomic_uint_least64_t planted_at; /* the time of the fault; 0: not yet */
};

struct trial_under_way {
    const struct trial *trial;
    struct actor *actors;
    struct step_seen *seen;
    int ending; /* trial_ending */
    atomic_uint_least64_t wrong_bytes;
    kp_machine *machine;
};

uint64_t trial_now(void);

/* --- trial_fault.c --- */

/* `trial_other_problem` returns the problem that a processor with a fault of a different call
 * carries out. `trial_bend` replaces arguments of the part by ones that kport refuses. */
kp_problem trial_other_problem(const struct trial_step *step);
void trial_bend(const struct trial_step *step, struct part *part);

/* --- trial_round.c --- */

/* A message of a round, as its sender or its receiver sees it. */
struct trial_message {
    int port, peer;
    size_t bytes;
    uint64_t key; /* the key from which its contents are computed */
};

/* Finds the first message that `rank` sends (`outgoing`) or receives. Returns false if there is
 * none. */
bool trial_first_message(const struct trial *trial, const struct trial_step *step, int rank,
                         bool outgoing, struct trial_message *message);

/* Carries out a kp_send_recv or kp_exchange. Reports a wrong byte as the actor's shortfall. */
int trial_round(struct actor *actor, const struct trial_step *step, int rank);

/* `trial_byte` returns one byte of a message's contents; `trial_fill` writes them. */
unsigned char trial_byte(uint64_t key, size_t i);
void trial_fill(unsigned char *bytes, size_t count, uint64_t key);

/* --- trial_route.c --- */

/* Carries out a kp_route. Reports a wrong message as the actor's shortfall. */
int trial_route(struct actor *actor, const struct trial_step *step, int rank);

/* Verifies the arrivals of the last kp_route once more, and frees them. */
void trial_route_forget(struct actor *actor);

/* --- trial_judge.c --- */

/* Judges a call that has returned, in a step up to the one that ends the trial. If the result is
 * wrong, sets the actor's shortfall. Returns true if the result is right. */
bool trial_judge_call(struct actor *actor, int step, int status);

/* Judges the trial after all processors have ended: every processor that stopped must have got the
 * right error. Otherwise writes a sentence to `text` and returns false. */
bool trial_judge_ends(const struct trial_under_way *run, const kp_report *report, char *text,
                      size_t size);

void trial_complain(struct actor *actor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
