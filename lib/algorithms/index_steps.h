/* The steps that both index algorithms make: which block goes how far in which round.
 *
 * A block with id j (it has to move j places to the right) is written in radix r. Subphase x has
 * distance r^x and steps z = 1 ... h - 1 with h = min(r, ceil(n / r^x)); step z moves every block
 * whose digit x is z by z r^x places. The steps of a subphase are independent: k of them, in order
 * of z, make a round, and port q carries the q-th. */
#ifndef KPORT_LIB_ALGORITHMS_INDEX_STEPS_H
#define KPORT_LIB_ALGORITHMS_INDEX_STEPS_H

#include "kport/schedule.h"

#include <stdbool.h>

struct kp_index_step {
    int64_t n, k, r;
    int64_t weight; /* r^x; 1 in the first subphase */
    int64_t z;      /* 1 ... h - 1 */
    int64_t h;
    bool new_round; /* the step is the first of its round */
    int port;
};

/* Walks all steps in order: start, then next until it returns false. */
struct kp_index_step kp_index_start(const kp_problem *problem);
bool kp_index_next(struct kp_index_step *step);

/* How far the step's blocks move, 1 ... n - 1. */
int64_t kp_index_distance(const struct kp_index_step *step);

/* The blocks of a step are runs of r^x neighbouring ids. Gives the number of runs; and the i-th:
 * its first id, and how many (only the last may be shorter). */
int64_t kp_index_runs(const struct kp_index_step *step);
int64_t kp_index_run(const struct kp_index_step *step, int64_t i, int64_t *count);

/* The parameter r, 2 ... max(2, n). */
#define KP_INDEX_RADIX_PARAMETER                                                                   \
    {                                                                                              \
        .name = "r", .summary = "radix: few rounds when small, few bytes when large",              \
        .range = "2 ... max(2, n)", .low = kp_index_radix_low, .high = kp_index_radix_high         \
    }
long kp_index_radix_low(const kp_problem *problem);
long kp_index_radix_high(const kp_problem *problem);

/* C1 and C2 in closed form, the same for both algorithms; see index_radix.c. */
void kp_index_stated_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2);

#endif
