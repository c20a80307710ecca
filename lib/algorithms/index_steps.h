/* This header computes the steps of the index algorithms `radix` and `literal`. A step says which
 * blocks move, and by how many ranks.
 *
 * The block of processor p for processor p + j (mod n) has the id j, so it has to move up by j
 * ranks. The algorithms write j in radix r. Subphase x moves blocks by multiples of r^x. Subphase x
 * has the steps z = 1 ... h - 1, where h = min(r, ceil(n / r^x)). Step z moves the blocks whose id
 * has the digit z at position x. It moves these blocks by z r^x ranks. The steps of a subphase do
 * not depend on each other, so k of them share a round. Steps 1 ... k are the first round of the
 * subphase, steps k + 1 ... 2k the second, and so on. Each step of a round has a port of its
 * own. */
#ifndef KPORT_LIB_ALGORITHMS_INDEX_STEPS_H
#define KPORT_LIB_ALGORITHMS_INDEX_STEPS_H

#include "kport/schedule.h"

#include <stdbool.h>

struct kp_index_step {
    int64_t n, k, r;
    int64_t weight; /* the weight r^x of digit x; 1 in the first subphase */
    int64_t z;      /* the number of the step in its subphase, 1 ... h - 1 */
    int64_t h;
    bool new_round; /* true: this step is the first step of its round */
    int port;
};

/* `kp_index_begin` returns the state before the first step. `kp_index_next` changes the state to
 * that of the next step, and returns false if there is no next step. */
struct kp_index_step kp_index_begin(const kp_problem *problem);
bool kp_index_next(struct kp_index_step *step);

/* Returns the number of ranks by which the step's blocks move up, z r^x, which is 1 ... n - 1. */
int64_t kp_index_distance(const struct kp_index_step *step);

/* The ids of a step's blocks form runs of r^x consecutive ids; the last run may be shorter.
 * `kp_index_runs` returns the number of runs. `kp_index_run` returns the first id of run i, counted
 * from 0, and stores the length of the run in `count`. */
int64_t kp_index_runs(const struct kp_index_step *step);
int64_t kp_index_run(const struct kp_index_step *step, int64_t i, int64_t *count);

/* The radix r, a parameter of the algorithms `radix` and `literal`. `kp_index_radix_low` returns
 * its lowest value, 2. `kp_index_radix_high` returns its highest value, max(2, n). */
#define KP_INDEX_RADIX_PARAMETER                                                                   \
    {                                                                                              \
        .name = "r", .summary = "radix: few rounds when small, few bytes when large",              \
        .range = "2 ... max(2, n)", .low = kp_index_radix_low, .high = kp_index_radix_high         \
    }
long kp_index_radix_low(const kp_problem *problem);
long kp_index_radix_high(const kp_problem *problem);

/* Stores C1 and C2, which are the same for `radix` and `literal`. The head of index_radix.c has the
 * formulas. */
void kp_index_stated_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2);

#endif
