/* A collective call: its arguments checked, its plan found, its buffers laid. */
#ifndef KPORT_LIB_CALL_H
#define KPORT_LIB_CALL_H

#include "lib/call/plan.h"

#include <stdbool.h>

struct kp_lengths;

/* Makes calls with other roots or operators other calls. Members' fingerprints are compared by
 * their sum, so those of roots 0, 1 and 2 may not lie in a row: all bits are mixed. None is that of
 * a refused call. */
static inline uint64_t kp_call_fingerprint(uint64_t plan, int root, uint64_t op)
{
    uint64_t x = kp_mix(plan + op + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)root);
    return x != KP_REFUSED ? x : 1;
}

/* What is asked for, from arguments that need not make sense. */
kp_problem kp_call_problem(kp_group *member, const kp_arguments *a);

/* 0, or the status of the error that is now set at the processor. */
int kp_call_check(kp_group *member, const kp_arguments *a, const kp_problem *asked);

/* Whether the algorithm named is one of the operation; the same result. */
int kp_call_check_how(kp_group *member, kp_operation operation, const kp_how *how);

/* Bytes of a buffer; 0 where this processor has none. */
size_t kp_call_buffer_bytes(const kp_problem *p, int rank, kp_space space);

/* Carries it out with these buffers, either of which may be KP_IN_PLACE. */
int kp_call_carry_out(kp_group *member, struct kp_prepared *prepared, const void *out, void *in,
                      char *scratch);

/* Finds what serves a call that was checked, and carries it out. `called`: what reports say that
 * the member has called. `keeps`: the next such call will be served alike. */
int kp_call_serve(kp_group *member, const kp_arguments *a, const kp_problem *asked,
                  const kp_problem *called, bool keeps);

/* The text of a problem, for reports; and of a copy of one whose operator may be no more. */
void kp_call_describe(const void *subject, char *text, size_t size);
void kp_call_describe_prepared(const void *subject, char *text, size_t size);
extern const struct kp_past kp_call_past;

/* Of an operation whose blocks have lengths of their own (lengths.c): whether the arguments are
 * such that the call could be made, as far as the processor knows by itself: 0, or the status of
 * the error that is set there. And the call, with tables that a plan may have for itself. */
int kp_lengths_check(kp_group *member, const kp_arguments *a, struct kp_lengths *own);
int kp_lengths_execute(kp_group *member, const kp_arguments *a, struct kp_lengths *own);

/* That no argument is given which the operation does not have. */
int kp_call_check_foreign(kp_group *member, const kp_arguments *a);

/* All of it; and all that comes after kp_pass_enter. */
int kp_call(kp_group *member, const kp_arguments *a);
int kp_call_entered(kp_group *member, const kp_arguments *a);

#endif
