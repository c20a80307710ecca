/* The calls that a seat has made lately, one an operation: a call with the same arguments but for
 * where its buffers lie finds its plan by comparing a few words.
 *
 * Whatever looks different, or wrong, goes the long way (call.c), which also words the errors. */
#ifndef KPORT_LIB_RECENT_H
#define KPORT_LIB_RECENT_H

#include "lib/call.h"

/* Carries out a call whose arguments are those of the one before, and says how it ended. False, and
 * nothing is done, for any other: go the long way. */
bool kp_recent_call(kp_group *seat, const kp_arguments *a, int *status);

/* Remembers a call that is about to be carried out. */
void kp_recent_keep(kp_group *seat, const kp_arguments *a, const kp_problem *asked,
                    struct kp_prepared *prepared, size_t scratch_bytes);

#endif
