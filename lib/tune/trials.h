/* With KP_TUNING_MEASURED, the first calls of a problem are trials. Each of them measures one of
 * the candidates with the best predictions. All later calls use the fastest candidate. */
#ifndef KPORT_LIB_TRIALS_H
#define KPORT_LIB_TRIALS_H

#include "kport/collective.h"
#include "ports/port.h"

#include <stdbool.h>

struct kp_trial;

/* Finds the trials of a problem. If there is nothing to try, stores NULL in `*trial`, and the call
 * uses the algorithm that the prediction chooses. Returns 0, or the status of an error; the error's
 * sentence is set. After an error the call must be refused. */
int kp_trials_find(kp_group *member, const kp_problem *asked, struct kp_trial **trial);

/* Begins a call on trial. Stores in `asked` the algorithm and the values that `asked` leaves open.
 * Before the members have decided, the stored values are those of the candidate to try next.
 * Afterwards they are those of the fastest candidate. The members decide together, within this
 * function. `*decided` becomes true if all later calls use the same candidate. Returns 0, or the
 * status of an error; the error's sentence is set. After an error the call is over. KP_EUNTAKEN is
 * an exception. The members decide by an allreduce, and this allreduce has reported an earlier
 * message that no receiver took. The call itself goes on. */
int kp_trials_begin(kp_group *member, struct kp_trial *trial, kp_problem *asked, bool *decided);

/* Ends a call on trial. This may free `trial`. */
void kp_trials_end(struct kp_trial *trial, int status);

/* Returns whether all calls of this problem use the same algorithm from now on. This is so if
 * nothing is tried, or if the members have decided. In the second case, stores the decision in
 * `asked`. */
bool kp_trials_over(kp_group *member, kp_problem *asked);

#endif
