/* Reductions whose schedules are other schedules backwards (mirror_reduction.c) share this file. */
#ifndef KPORT_LIB_ALGORITHMS_REDUCE_BACKWARDS_H
#define KPORT_LIB_ALGORITHMS_REDUCE_BACKWARDS_H

#include "lib/problem/operator.h"

#define KP_COMMUTATIVE "a commutative operator"

/* Such a reduction combines operands in the order of a tree, not of the ranks. */
static inline const char *kp_serves_commutative(const kp_problem *p)
{
    return kp_is_ordered(p) ? KP_COMMUTATIVE : NULL;
}

#endif
