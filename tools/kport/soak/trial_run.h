/* What the files of a trial under way share: the processors that act in it, and what each has seen.
 * Memory belongs to the trial, not to the processors' stacks: these may vanish. */
#ifndef KPORT_TOOLS_TRIAL_RUN_H
#define KPORT_TOOLS_TRIAL_RUN_H

#include "tools/kport/run/part.h"
#include "tools/kport/soak/trial.h"

#define TRIAL_LIMIT_NS 1000000000u /* within which a fault has to be told */

enum actor_end {
    ACTOR_UNDER_WAY,
    ACTOR_FINISHED, /* all its steps are done */
    ACTOR_LEFT,     /* as its fault wants it */
    ACTOR_STOPPED,  /* a call returned an error, and it ended with it */
};

struct actor {
    struct trial_under_way *run;
    int number;
    kp_proc *self;
    kp_group *members[TRIAL_GROUPS];
    struct part part;
    kp_problem other; /* what it calls instead */
    kp_plan *plan;
    unsigned char *memory; /* of messages that are sent */
    kp_arrivals arrivals;
    const struct trial_step *routed; /* where these have come; NULL: there are none */
    int step;                        /* the one under way; once stopped, where */
    enum actor_end end;
    int status;
    kp_error_record error;
    bool told_early;        /* of a message that nobody took, by the call itself */
    uint64_t entered, left; /* when it made its last call, and when it stopped */
    char shortfall[TRIAL_SENTENCE];
};

/* What is known of a step while it is under way. */
struct step_seen {
    atomic_int done;                  /* members whose calls went well, all of them */
    atomic_int told;                  /* members that were told of its fault as they should */
    atomic_uint_least64_t planted_at; /* 0: not yet */
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

/* The problem that a processor with such a fault takes for the step's; and arguments that are
 * refused. */
kp_problem trial_other_problem(const struct trial_step *step);
void trial_bend(const struct trial_step *step, struct part *part);

/* --- trial_round.c --- */

/* A message of a round, as the member sees it that sends or takes it. */
struct trial_message {
    int port, peer;
    size_t bytes;
    uint64_t key; /* of its contents */
};

/* The first one that `rank` sends (takes); false if there is none. */
bool trial_first_message(const struct trial *trial, const struct trial_step *step, int rank,
                         bool outgoing, struct trial_message *message);

/* Carries out a kp_send_recv or kp_exchange; a wrong byte becomes the actor's shortfall. */
int trial_round(struct actor *actor, const struct trial_step *step, int rank);

/* The contents of a message. */
unsigned char trial_byte(uint64_t key, size_t i);
void trial_fill(unsigned char *bytes, size_t count, uint64_t key);

/* --- trial_route.c --- */

/* Carries out a kp_route; a wrong message becomes the actor's shortfall. */
int trial_route(struct actor *actor, const struct trial_step *step, int rank);

/* Looks once more at what the last one has brought, and gives it back. */
void trial_route_forget(struct actor *actor);

/* --- trial_judge.c --- */

/* A call of a step at or before the trial's ending has returned: whether that is as it has to be.
 * If not, the actor's shortfall says why. */
bool trial_judge_call(struct actor *actor, int step, int status);

/* All have ended: whether all that stopped were told why, as they should. */
bool trial_judge_ends(const struct trial_under_way *run, const kp_report *report, char *text,
                      size_t size);

void trial_complain(struct actor *actor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
