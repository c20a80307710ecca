/* For reductions whose schedule is another algorithm's schedule backwards (mirror_reduction.c). */
#ifndef KPORT_LIB_ALGORITHMS_REDUCE_BACKWARDS_H
#define KPORT_LIB_ALGORITHMS_REDUCE_BACKWARDS_H

#include "lib/problem/operator.h"

#define KP_COMMUTATIVE "a commutative operator"

/* The function `serves` (kp_algorithm) of such reductions. They serve only commutative operators,
 * because they combine operands in the order of a tree, and not in the order of the ranks. */
static inline const char *kp_serves_commutative(const kp_problem *p)
{
    return kp_is_ordered(p) ? KP_COMMUTATIVE : NULL;
}

#endif
