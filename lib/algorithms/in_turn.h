/* This header is for operations in which the processors send in turn, as on a bus. In each round
 * only one processor sends. */
#ifndef KPORT_LIB_ALGORITHMS_IN_TURN_H
#define KPORT_LIB_ALGORITHMS_IN_TURN_H

#include "kport/schedule.h"

/* The sender of a round needs n - 1 ports, because it sends to all others in this round. */
static const char kp_in_turn_restriction[] = "k = n - 1";

static inline const char *kp_in_turn_serves(const kp_problem *p)
{
    return p->k >= p->n - 1 ? NULL : kp_in_turn_restriction;
}

#endif
