/* This header is for reductions whose schedule is another algorithm's schedule run backwards
 * (mirror_reduction.c). */
#ifndef KPORT_LIB_ALGORITHMS_REDUCE_BACKWARDS_H
#define KPORT_LIB_ALGORITHMS_REDUCE_BACKWARDS_H

#include "lib/schedule/elements.h"

#define KP_COMMUTATIVE "a commutative operator"

/* The function `serves` (kp_algorithm) of these reductions. It accepts only commutative operators,
 * because these reductions combine operands in the order of a tree, not of the ranks. */
static inline const char *kp_serves_commutative(const kp_problem *p)
{
    return kp_is_ordered(p) ? KP_COMMUTATIVE : NULL;
}

#endif
