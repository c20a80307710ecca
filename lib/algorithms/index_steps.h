/* The steps of the index algorithms `radix` and `literal`. A step says which blocks go how far.
 *
 * The id j of a block is the number of places that it has to move to the right. It is written in
 * radix r. Subphase x has the distance r^x and the steps z = 1 ... h - 1, where h = min(r,
 * ceil(n / r^x)). Step z moves every block whose digit x is z by z r^x places. The steps of a
 * subphase do not depend on each other. k steps, in the order of z, make a round, and port q
 * carries the q-th of them. */
#ifndef KPORT_LIB_ALGORITHMS_INDEX_STEPS_H
#define KPORT_LIB_ALGORITHMS_INDEX_STEPS_H

#include "kport/schedule.h"

#include <stdbool.h>

struct kp_index_step {
    int64_t n, k, r;
    int64_t weight; /* r^x; 1 in the first subphase */
    int64_t z;      /* 1 ... h - 1 */
    int64_t h;
    bool new_round; /* true: the step is the first of its round */
    int port;
};

/* `kp_index_start` returns the state before the first step. `kp_index_next` goes to the next step
 * and returns false after the last. */
struct kp_index_step kp_index_start(const kp_problem *problem);
bool kp_index_next(struct kp_index_step *step);

/* Returns by how many places the step's blocks move, 1 ... n - 1. */
int64_t kp_index_distance(const struct kp_index_step *step);

/* The blocks of a step are runs of r^x neighbouring ids; only the last run may be shorter.
 * `kp_index_runs` returns the number of runs. `kp_index_run` returns the first id of the i-th run
 * and sets `count` to its length. */
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

/* C1 and C2 of both algorithms in closed form. The formula is in index_radix.c. */
void kp_index_stated_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2);

#endif
