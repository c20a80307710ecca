/* What two problems have to share to be served by the same plan. */
#ifndef KPORT_LIB_PLAN_KEY_H
#define KPORT_LIB_PLAN_KEY_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What decides which schedule serves: a problem as it was asked or, exact, as it is served. The
 * operator may be gone by the next call: what counts of it is copied. */
struct kp_plan_key {
    kp_problem problem;
    size_t element; /* bytes */
    bool ordered;
    bool of_root; /* the schedule is for that root only */
};

struct kp_plan_key kp_plan_key_of(const kp_problem *problem);

/* Whether what was found for `key` serves `asked`. */
bool kp_plan_key_serves(const struct kp_plan_key *key, const kp_problem *asked);

/* Equal for problems that one key serves. */
uint64_t kp_plan_hash(const kp_problem *problem);

/* Whether the schedule, or the choice of the algorithm, depends on the root. */
bool kp_plan_is_of_root(const kp_problem *found);

/* Equal for problems that are equal but for n, k, root and in_place; the algorithm may be open. */
uint64_t kp_plan_fingerprint(const kp_problem *problem);

#endif
