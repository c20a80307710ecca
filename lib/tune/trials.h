/* Measured first calls. Each call tries one of the candidates with the best predictions. After
 * these calls the fastest candidate serves. */
#ifndef KPORT_LIB_TRIALS_H
#define KPORT_LIB_TRIALS_H

#include "kport/collective.h"
#include "ports/port.h"

#include <stdbool.h>

struct kp_trial;

/* Finds the trials of a problem. `*trial` becomes NULL if nothing is tried, and the call is served
 * as it is asked. Returns 0, or the status of an error that is set at the processor; the call then
 * has to be refused. */
int kp_trials_find(kp_group *member, const kp_problem *asked, struct kp_trial **trial);

/* Begins a call on trial. Fills in what `asked` leaves open: from the candidate whose turn it is,
 * or from the decision. The members make the decision together within this call. `decided` becomes
 * true if all later calls are served in the same way. Returns 0, or the status of an error that is
 * set at the processor. After an error the call is over. KP_EUNTAKEN is an exception: the decision
 * has reported it, and the call goes on. */
int kp_trials_begin(kp_group *member, struct kp_trial *trial, kp_problem *asked, bool *decided);

/* Ends a call on trial. It may free `trial`. */
void kp_trials_end(struct kp_trial *trial, int status);

/* Returns whether all calls from now on serve this problem in the same way. Fills in what was
 * decided. */
bool kp_trials_over(kp_group *member, kp_problem *asked);

#endif
