/* This header has the parts of a call whose blocks have lengths of their own. A blocking call makes
 * these parts one after the other. A request (lib/request/lengths.c) goes away between them. */
#ifndef KPORT_LIB_LENGTHS_CALL_H
#define KPORT_LIB_LENGTHS_CALL_H

#include "lib/call/call.h"
#include "lib/lengths/check.h"

/* A call that has begun. It must not move until its end. */
struct kp_lengths_begun {
    struct kp_lengths *own;
    struct kp_lengths_call call;
    kp_problem asked;
    struct kp_prepared *prepared; /* NULL until the members have agreed */
    char *spaces[KP_SPACES];
};

/* Returns the tables that the member keeps from call to call, or NULL if there is no memory. */
struct kp_lengths *kp_lengths_of(kp_group *member);

/* Makes the call with the choice of an algorithm, in two calls of the machine. */
int kp_lengths_execute_generally(kp_group *member, const kp_arguments *a, struct kp_lengths *own);

/* Checks what the member can check by itself, and opens the preliminary call. The caller then tells
 * the others own->sums.telling (kp_port_tell). Returns 0 or the status of an error that is set;
 * then no call is open. */
int kp_lengths_begin(kp_group *member, const kp_arguments *a, struct kp_lengths *own,
                     struct kp_lengths_begun *begun);

/* Compares the lengths that all members have told, and prepares the call. Returns 0 or the status
 * of an error that is set, for which the caller refuses the call. */
int kp_lengths_settle(kp_group *member, struct kp_lengths_begun *begun);

/* Called at the end of a call that ended with `status`. Returns its status. */
int kp_lengths_finish(kp_group *member, struct kp_lengths_begun *begun, int status);

#endif
