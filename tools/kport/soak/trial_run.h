/* The data of a trial (trial.h) that is being carried out. The files trial_*.c share these data. An
 * actor is a processor in the trial. The data say what each actor does, and what has happened at
 * each step. All memory belongs to the trial, because a thread that exits loses its stack. */
#ifndef KPORT_TOOLS_TRIAL_RUN_H
#define KPORT_TOOLS_TRIAL_RUN_H

#include "tools/kport/run/participant.h"
#include "tools/kport/soak/trial.h"

#define TRIAL_LIMIT_NS 1000000000u /* the nanoseconds within which a fault must be reported */

enum actor_end {
    ACTOR_UNDER_WAY,
    ACTOR_FINISHED, /* the actor has completed all its steps */
    ACTOR_LEFT,     /* the actor has ended its program, because this is its fault */
    ACTOR_STOPPED,  /* a call has returned an error, so the actor has ended its program */
};

struct actor {
    struct trial_under_way *run;
    int number;
    kp_proc *self;
    kp_group *members[TRIAL_GROUPS];
    struct participant participant;
    /* The problem of the actor's call, if the actor's fault is that it makes a different call. */
    kp_problem other;
    kp_plan *plan;
    unsigned char *memory; /* the memory for the messages of the current call */
    kp_arrivals arrivals;
    const struct trial_step *routed; /* the step whose arrivals are in `arrivals`; NULL: none */
    int step; /* the number of the current step, or of the step at which the actor has ended */
    enum actor_end end;
    int status;
    kp_error_record error;
    bool told_early; /* the call in a step with TRIAL_TAKES_NOTHING has reported the error, so the
                        next call will not */
    /* `entered`: the time at which the actor's latest call began; `left`: the time at which the
     * actor ended. */

    uint64_t entered, left;
    char shortfall[TRIAL_SENTENCE];
};

/* What has happened at a step. */
struct step_seen {
    atomic_int done; /* the number of members whose calls in this step have all succeeded */
    atomic_int told; /* how many members got the right status and error after the fault */
    atomic_uint_least64_t planted_at; /* the time of the fault; 0: the fault has not happened */
};

struct trial_under_way {
    const struct trial *trial;
    struct actor *actors;
    struct step_seen *seen;
    int ending; /* the number of the step whose fault ends the trial (trial_ending) */
    atomic_uint_least64_t wrong_bytes;
    kp_machine *machine;
};

uint64_t trial_now(void);

/* --- Functions of trial_fault.c --- */

/* `trial_other_problem` returns the problem of the call that a faulty processor makes instead of
 * the step's call. `trial_bend` replaces an argument of the call by an argument that kport
 * refuses. */
kp_problem trial_other_problem(const struct trial_step *step);
void trial_bend(const struct trial_step *step, struct participant *participant);

/* --- Functions of trial_round.c --- */

/* A message of a round. For the sender, `peer` is the receiver of the message. For the receiver,
 * `peer` is the sender. */
struct trial_message {
    int port, peer;
    size_t bytes;
    uint64_t key; /* the number from which trial_byte computes the contents */
};

/* Finds the first message of the round that `rank` sends (`outgoing` is true) or receives
 * (`outgoing` is false). Returns false if there is no such message. */
bool trial_first_message(const struct trial *trial, const struct trial_step *step, int rank,
                         bool outgoing, struct trial_message *message);

/* Makes the actor's call of kp_send_recv or kp_exchange, and returns its status. If a received byte
 * is wrong, sets the actor's shortfall. */
int trial_round(struct actor *actor, const struct trial_step *step, int rank);

/* `trial_byte` returns byte number `i` of the contents of the message with this key. `trial_fill`
 * writes its first `count` bytes. */
unsigned char trial_byte(uint64_t key, size_t i);
void trial_fill(unsigned char *bytes, size_t count, uint64_t key);

/* Makes the layout of `bytes` bytes whose second half comes first. If both sides have it, the bytes
 * go where they would go without a layout. Returns 0 or a status. */
int trial_halves(size_t bytes, kp_layout **made);

/* --- Functions of trial_route.c --- */

/* Makes the actor's call of kp_route, and returns its status. If a received message is wrong, sets
 * the actor's shortfall. */
int trial_route(struct actor *actor, const struct trial_step *step, int rank);

/* Verifies once more the messages that the latest kp_route delivered (`arrivals`), and frees
 * them. */
void trial_route_forget(struct actor *actor);

/* --- Functions of trial_judge.c --- */

/* Judges the status and the error of a call, in a step before the one that ends the trial. Returns
 * whether both are right. If not, sets the actor's shortfall. */
bool trial_judge_call(struct actor *actor, int step, int status);

/* Judges the trial after all processors have ended. Every processor that stopped must have got the
 * right error. If something is wrong, writes a sentence to `text` and returns false. */
bool trial_judge_ends(const struct trial_under_way *run, const kp_report *report, char *text,
                      size_t size);

void trial_complain(struct actor *actor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
