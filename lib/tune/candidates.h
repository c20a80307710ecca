/* The candidates of a problem: all algorithms of the table that serve it, with the values that the
 * problem leaves open. Either all values are candidates, or the few that are worth measuring. */
#ifndef KPORT_LIB_CANDIDATES_H
#define KPORT_LIB_CANDIDATES_H

#include "kport/schedule.h"

#include <stdbool.h>

enum kp_values {
    KP_ALL_VALUES,
    /* For a radix: the powers of 2 and of k + 1, and the least radix for each number of digits. For
     * other numbers: 1, k, n and the powers of 4. For words: all. */
    KP_FEW_VALUES,
};

typedef void kp_visit_candidate(const kp_problem *candidate, void *arg);

/* Calls `visit` for each candidate, in the table's order. Smaller values come first, and the last
 * parameter varies fastest. Values that the problem names stay. */
void kp_candidates(const kp_problem *asked, enum kp_values values, kp_visit_candidate *visit,
                   void *arg);

/* Returns whether the candidate's algorithm serves it. */
bool kp_candidate_serves(const kp_problem *candidate);

/* As kp_candidates, for one algorithm, which serves the problem. */
void kp_candidates_of(const kp_problem *asked, const kp_algorithm *algorithm, enum kp_values values,
                      kp_visit_candidate *visit, void *arg);

#endif
