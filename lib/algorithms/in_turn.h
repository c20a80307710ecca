/* Operations in which one processor after the other sends to all others, as on a bus. */
#ifndef KPORT_LIB_ALGORITHMS_IN_TURN_H
#define KPORT_LIB_ALGORITHMS_IN_TURN_H

#include "kport/schedule.h"

/* A processor needs n - 1 ports, because it sends to all others in one round. */
static const char kp_in_turn_restriction[] = "k = n - 1";

static inline const char *kp_in_turn_serves(const kp_problem *p)
{
    return p->k >= p->n - 1 ? NULL : kp_in_turn_restriction;
}

#endif
