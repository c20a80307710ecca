/* Measured first calls: what is predicted to be good is tried, call by call, then the fastest
 * stays. */
#ifndef KPORT_LIB_TRIALS_H
#define KPORT_LIB_TRIALS_H

#include "kport/collective.h"
#include "ports/port.h"

#include <stdbool.h>

struct kp_trial;

/* The trials of what is asked; NULL where nothing is tried, and `asked` is served as it is. 0, or
 * the status of an error that is set at the processor: the call has to be refused. */
int kp_trials_find(kp_group *member, const kp_problem *asked, struct kp_trial **trial);

/* The call begins: fills in what `asked` leaves open, from the candidate on trial or from the
 * decision, which the members make together in this call. 0; or the status of an error that is set
 * at the processor, after which the call is over, unless it is KP_EUNTAKEN: that has been told in
 * the decision, and the call goes on. `decided`: from now on calls are served as this one is. */
int kp_trials_begin(kp_group *member, struct kp_trial *trial, kp_problem *asked, bool *decided);

/* The call is over. `trial` may be gone then. */
void kp_trials_end(struct kp_trial *trial, int status);

/* Whether what is asked will be served alike in all calls from now on. Fills in what has been
 * decided. */
bool kp_trials_over(kp_group *member, kp_problem *asked);

#endif
