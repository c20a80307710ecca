/* These functions carry out a call in steps. A step goes on until the call would have to wait, and
 * then returns. This is the basis for calls that do not block. Several such calls may be under way
 * at the same time, on different groups. */
#ifndef KPORT_LIB_EXECUTE_STEP_H
#define KPORT_LIB_EXECUTE_STEP_H

#include "lib/execute/execution.h"

enum kp_step_at {
    KP_AT_BEGIN,
    KP_AT_ROUND,   /* the member has not yet packed the messages of the round */
    KP_AT_SENDS,   /* by mailboxes: there may be no room yet for the messages of the round */
    KP_AT_MESSAGE, /* by mailboxes: the next message may not have arrived yet */
    KP_AT_WIRE,    /* over a wire: the messages of the round may not have arrived or left yet */
    KP_AT_EPISODE, /* by the barrier: some members may not have arrived yet */
    KP_AT_CLOSE,   /* other members may still read this member's memory */
    KP_AT_CLOSING, /* by the barrier: the member has arrived at the closing episode */
    KP_AT_END,
};

/* A call and its position. This struct and the call's buffers must not move until the call has
 * ended. */
struct kp_step {
    struct kp_execution x;
    struct kp_writer writer;
    struct kp_instruction chunk[KP_CHUNK];
    char *base[KP_CODE_SPACES];
    bool kept, traced, by_mail, by_wire;
    bool waits; /* the call waits instead of returning KP_WAITS */
    enum kp_step_at at;
    int round;
    const struct code_round *r; /* the current round; points to `seen` if no code is kept */
    struct code_round seen;
    uint32_t message; /* the number of the next message to receive */
    bool early;       /* over a wire: the moves before round 0 are made */
    bool works;       /* what kp_before_episode returned for the current round */
    bool starts;      /* this is the call's start, and a progress thread goes on with the call */
    bool moves_due;   /* the moves before round 0 are not made yet */
    /* Other members may still read the memory that this member lent in the previous round. */
    bool covers;
};

/* Prepares `step` for carrying out `call`, which must be prepared for the group (kp_prepared_find).
 * The caller must have entered the member (kp_member_enter). */
void kp_step_begin(struct kp_step *step, kp_group *member, struct kp_prepared *call,
                   const char *out, char *in, char *scratch);

/* Continues the call until the call ends or would have to wait. Returns KP_WAITS if the call would
 * have to wait, 0 if it has ended, or the status of an error if it has failed. The caller must have
 * entered the member. */
int kp_step_go(struct kp_step *step);

/* Continues the call to its end, and waits where it must. Returns its status. */
int kp_step_finish(struct kp_step *step);

/* These functions serve a member that waits for the call. `kp_step_can_go` returns whether
 * kp_step_go would get any further. `kp_step_word` returns the word of the episode in which the
 * call waits, or NULL. `kp_step_awaits` returns the rank of a member for which the call waits, or
 * -1. `kp_step_place` writes in words how far the call is, or nothing if it is in its only round.
 */
bool kp_step_can_go(const struct kp_step *step);
struct kp_wait_word *kp_step_word(const struct kp_step *step);
int kp_step_awaits(const struct kp_step *step);
void kp_step_place(const struct kp_step *step, char *text, size_t size);

#endif
