/* A call that is carried on step by step, each time as far as it can go without waiting. Calls that
 * do not block can be built on it. Several such calls may be under way, each on a group of its own.
 */
#ifndef KPORT_LIB_EXECUTE_STEP_H
#define KPORT_LIB_EXECUTE_STEP_H

#include "lib/execute/execution.h"

/* What kp_step_go returns beside 0 and the statuses of errors. */
#define KP_WAITS 1

enum kp_step_at {
    KP_AT_BEGIN,
    KP_AT_ROUND,   /* before its messages are packed */
    KP_AT_SENDS,   /* by the mailboxes: before room for them is there */
    KP_AT_MESSAGE, /* by the mailboxes: before the next one is taken */
    KP_AT_PASS,    /* by the barrier: before it opens */
    KP_AT_CLOSE,   /* before nobody is in this member's memory any more, */
    KP_AT_CLOSING, /* by the barrier: which a pass tells */
    KP_AT_END,
};

/* A call and its position. It stays where it is until it has ended, and so do its buffers. */
struct kp_step {
    struct kp_execution x;
    struct kp_writer writer;
    struct kp_instruction chunk[KP_CHUNK];
    char *base[KP_CODE_SPACES];
    bool kept, traced, by_mail;
    enum kp_step_at at;
    int round;
    const struct code_round *r; /* the round, which is put together in `seen` if it is not kept */
    struct code_round seen;
    uint32_t message; /* to be taken next */
    bool works;       /* see kp_before_pass */
    bool covers;      /* others may still be in what was described in the round before */
};

/* `call` was prepared for the group (kp_plan_find), whose member was entered. */
void kp_step_begin(struct kp_step *step, kp_group *member, struct kp_prepared *call,
                   const char *out, char *in, char *scratch);

/* Goes on until it would wait: KP_WAITS. 0: the call has ended. Else it has failed. The member was
 * entered. */
int kp_step_go(struct kp_step *step);

#endif
