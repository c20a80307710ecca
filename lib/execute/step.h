/* A call that is carried out in steps, each as far as it can go without waiting. Calls that do not
 * block can be built on it. Several such calls may be under way, each on a group of its own. */
#ifndef KPORT_LIB_EXECUTE_STEP_H
#define KPORT_LIB_EXECUTE_STEP_H

#include "lib/execute/execution.h"

/* What kp_step_go returns if it would have to wait. */
#define KP_WAITS 1

enum kp_step_at {
    KP_AT_BEGIN,
    KP_AT_ROUND,   /* the round's messages are not packed yet */
    KP_AT_SENDS,   /* by the mailboxes: there may be no room yet for the round's messages */
    KP_AT_MESSAGE, /* by the mailboxes: the next message may not have arrived yet */
    KP_AT_EPISODE, /* by the barrier: the episode may not have happened yet */
    KP_AT_CLOSE,   /* other members may still read this member's memory */
    KP_AT_CLOSING, /* by the barrier: in the episode after which no member reads it */
    KP_AT_END,
};

/* A call and its position. It and the call's buffers may not move until the call has ended. */
struct kp_step {
    struct kp_execution x;
    struct kp_writer writer;
    struct kp_instruction chunk[KP_CHUNK];
    char *base[KP_CODE_SPACES];
    bool kept, traced, by_mail;
    enum kp_step_at at;
    int round;
    const struct code_round *r; /* the current round, in `seen` if no code is kept */
    struct code_round seen;
    uint32_t message; /* the next message to receive */
    bool works;       /* the result of kp_before_episode */
    bool covers;      /* other members may still read this member's memory of the round before */
};

/* `call` was prepared for the group (kp_prepared_find). The caller has entered the member. */
void kp_step_begin(struct kp_step *step, kp_group *member, struct kp_prepared *call,
                   const char *out, char *in, char *scratch);

/* Goes on until the call would wait. Returns KP_WAITS then, 0 if the call has ended, and otherwise
 * the status of its failure. The caller has entered the member. */
int kp_step_go(struct kp_step *step);

#endif
