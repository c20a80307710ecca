/* The calls that a seat has made lately, one an operation: a call with the same arguments but for
 * where its buffers lie finds its plan by comparing a few words.
 *
 * Whatever looks different, or wrong, goes the long way (call.c), which also words the errors. */
#ifndef KPORT_LIB_RECENT_H
#define KPORT_LIB_RECENT_H

#include "lib/call.h"
#include "ports/machine_data.h"

/* What served the last call of that operation; NULL: none. */
static inline struct kp_prepared *kp_plan_recent(const kp_group *seat, kp_operation operation)
{
    const struct kp_latest *latest = seat->attachment.data;
    return latest ? latest->of[operation] : NULL;
}

/* Carries out a call whose arguments are those of the one before, and says how it ended. False, and
 * nothing is done, for any other: go the long way. */
bool kp_recent_call(kp_group *seat, const kp_arguments *a, int *status);

/* The same, for the operations that move blocks as they are, before anything is put together: for a
 * call that is carried out by steps, out of place, without scratch. NULL: go the long way. */
static inline struct kp_prepared *kp_recent_plain(kp_group *seat, kp_operation operation,
                                                  const void *out, const void *in, size_t b,
                                                  int root, const kp_how *how)
{
    struct kp_prepared *prepared = kp_plan_recent(seat, operation);
    if (how || !prepared || !prepared->again.plain || prepared->again.operation != operation)
        return NULL; /* the place may serve another operation by now */
    const struct kp_again *r = &prepared->again;
    uintptr_t from = (uintptr_t)out, to = (uintptr_t)in;
    size_t out_bytes = r->out_bytes, in_bytes = r->in_bytes;
    if (r->b != b || r->root != root || out == KP_IN_PLACE || in == KP_IN_PLACE ||
        (out_bytes > 0 && !from) || (in_bytes > 0 && !to) ||
        (out_bytes > 0 && in_bytes > 0 && (to - from < out_bytes || from - to < in_bytes)))
        return NULL;
    return prepared;
}

/* Remembers a call that is about to be carried out. */
void kp_recent_keep(kp_group *seat, const kp_arguments *a, const kp_problem *asked,
                    struct kp_prepared *prepared, size_t scratch_bytes);

#endif
