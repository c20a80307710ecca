/* This header lists the candidates for a problem. A candidate is an algorithm of the table that
 * states its cost and serves the problem, with values for the parameters that the problem leaves
 * open. The caller chooses (enum kp_values) whether there are candidates for all values, or only
 * for the few values that are worth measuring. */
#ifndef KPORT_LIB_CANDIDATES_H
#define KPORT_LIB_CANDIDATES_H

#include "kport/schedule.h"

#include <stdbool.h>

enum kp_values {
    KP_ALL_VALUES,
    /* For a radix: the powers of 2 and of k + 1, and, for each number d, the least radix in
     * which n - 1 has at most d digits. For another parameter that is a number: 1, k, n and the
     * powers of 4. For a parameter that is a word: all words. */
    KP_FEW_VALUES,
};

typedef void kp_visit_candidate(const kp_problem *candidate, void *arg);

/* Calls `visit` for each candidate, in the order of the table of algorithms. For each algorithm,
 * smaller values come first, and the last parameter varies fastest. Values that the problem gives
 * are not changed. */
void kp_candidates(const kp_problem *asked, enum kp_values values, kp_visit_candidate *visit,
                   void *arg);

/* Returns whether the candidate's algorithm serves the problem with the candidate's values, and
 * states its cost, without which no time can be predicted. */
bool kp_candidate_serves(const kp_problem *candidate);

/* Does the same as kp_candidates, for one algorithm, which must serve the problem. */
void kp_candidates_of(const kp_problem *asked, const kp_algorithm *algorithm, enum kp_values values,
                      kp_visit_candidate *visit, void *arg);

#endif
