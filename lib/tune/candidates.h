/* What may be chosen for a problem: everything in the table that serves it, with all values of what
 * its parameters leave open, or with those few of them that are worth measuring. */
#ifndef KPORT_LIB_CANDIDATES_H
#define KPORT_LIB_CANDIDATES_H

#include "kport/schedule.h"

#include <stdbool.h>

enum kp_values {
    KP_ALL_VALUES,
    KP_FEW_VALUES, /* of a radix the powers of 2 and of k + 1 and the least with each number of
                      digits; of other numbers 1, k, n and the powers of 4; of words all */
};

typedef void kp_visit_candidate(const kp_problem *candidate, void *arg);

/* Calls `visit` for each, in the table's order, smaller values first and the last parameter
 * fastest. What the problem names stays. */
void kp_candidates(const kp_problem *asked, enum kp_values values, kp_visit_candidate *visit,
                   void *arg);

/* Whether the algorithm that the candidate names serves it. */
bool kp_candidate_serves(const kp_problem *candidate);

/* As kp_candidates, for one algorithm, which serves. */
void kp_candidates_of(const kp_problem *asked, const kp_algorithm *algorithm, enum kp_values values,
                      kp_visit_candidate *visit, void *arg);

#endif
