/* A collective call: its arguments checked, its plan found, its buffers laid. */
#ifndef KPORT_LIB_CALL_H
#define KPORT_LIB_CALL_H

#include "kport/persistent.h"
#include "lib/plan.h"

#include <stdbool.h>

/* A call that can be carried out. */
struct kp_ready {
    struct kp_prepared *prepared;
    const char *out; /* as the executor wants them */
    char *in;
    char *scratch;
    const char *copy_from; /* KP_IN_PLACE: what is to be copied to `out` first, or NULL */
    size_t copy_bytes;
};

/* What is asked for, from arguments that need not make sense. */
kp_problem kp_call_problem(kp_group *seat, const kp_arguments *a);

/* 0, or the status of the error that is now set at the processor. */
int kp_call_check(kp_group *seat, const kp_arguments *a, const kp_problem *asked);

/* Whether the algorithm named is one of the operation; the same result. */
int kp_call_check_how(kp_group *seat, kp_operation operation, const kp_how *how);

/* Bytes of a buffer; 0 where this processor has none. */
size_t kp_call_buffer_bytes(const kp_problem *p, int rank, kp_space space);

/* Bytes of scratch that a prepared call needs, and what follows from having them. */
size_t kp_call_scratch(const struct kp_prepared *prepared, const kp_problem *asked);
struct kp_ready kp_call_lay(kp_group *seat, const kp_arguments *a, const kp_problem *asked,
                            struct kp_prepared *prepared, char *scratch);

/* What the executor has to know of root, target and operator. */
void kp_call_settle(struct kp_prepared *prepared, const kp_problem *asked);

/* What the call is to the other members and in reports, once its problem is as it will be;
 * `operator`: the fingerprint of one, or 0. */
void kp_call_show(struct kp_prepared *prepared, uint64_t operator);

int kp_call_execute(kp_group *seat, const struct kp_ready *ready);

/* The text of a problem, for reports; and of a copy of one whose operator may be no more. */
void kp_call_describe(const void *subject, char *text, size_t size);
extern const struct kp_past kp_call_past;

/* The same for operations whose blocks have lengths of their own (lengths.c), from the arguments to
 * the end. */
int kp_lengths_call(kp_group *seat, const kp_arguments *a);

/* Whether they are such that the call could be made, as far as the processor knows by itself: 0, or
 * the status of the error that is set there. And the call, with tables that a plan has for itself;
 * kp_port_enter comes before both. */
int kp_lengths_check(kp_group *seat, const kp_arguments *a, struct kp_lengths *own);
int kp_lengths_execute(kp_group *seat, const kp_arguments *a, struct kp_lengths *own);

/* That no argument is given which the operation does not have. */
int kp_call_check_foreign(kp_group *seat, const kp_arguments *a);

/* All of it; and all that comes after kp_port_enter. */
int kp_call(kp_group *seat, const kp_arguments *a);
int kp_call_entered(kp_group *seat, const kp_arguments *a);

#endif
