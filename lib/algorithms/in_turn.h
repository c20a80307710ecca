/* Operations in which one processor after the other speaks and all hear it, as on a bus. */
#ifndef KPORT_LIB_ALGORITHMS_IN_TURN_H
#define KPORT_LIB_ALGORITHMS_IN_TURN_H

#include "kport/schedule.h"

/* One message goes to all others in a round. */
static const char kp_in_turn_restriction[] = "k = n - 1";

static inline const char *kp_in_turn_serves(const kp_problem *p)
{
    return p->k >= p->n - 1 ? NULL : kp_in_turn_restriction;
}

#endif
