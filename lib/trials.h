/* Measured first calls: what is predicted to be good is tried, call by call, then the fastest
 * stays. */
#ifndef KPORT_LIB_TRIALS_H
#define KPORT_LIB_TRIALS_H

#include "kport/collective.h"
#include "ports/port.h"

#include <stdbool.h>

struct kp_trial;

/* Whether there is memory for what follows. */
bool kp_trials_ready(kp_group *seat, const kp_problem *asked);

/* What is to serve this call, if the machine measures: fills in what `asked` leaves open, from the
 * candidate on trial or from the decision, which the members make together in this call. `trial` is
 * then to be handed to kp_trials_end, NULL where nothing is on trial. 0 or the status of an error
 * that is set at the processor: what the members said to each other failed. */
int kp_trials_begin(kp_group *seat, kp_problem *asked, struct kp_trial **trial);

/* The call is over. */
void kp_trials_end(struct kp_trial *trial, int status);

#endif
