/* Algorithms for blocks that have lengths of their own. They use the schedules of algorithms for
 * equal blocks, with each block as a whole. */
#ifndef KPORT_LIB_ALGORITHMS_LENGTHS_H
#define KPORT_LIB_ALGORITHMS_LENGTHS_H

#include "kport/schedule.h"

/* A length travels as a number of eight bytes. */
#define KP_LENGTH_BYTES 8

/* Returns the problem of the lender, problem->algorithm->same_schedule_as. Its blocks have one
 * byte, so that no algorithm splits them. */
kp_problem kp_problem_of_lender(const kp_problem *problem);

/* C1 is the lender's. C2 is the lender's C2 in blocks, times the sum of b and the bytes of the
 * length that travels with a block. */
void kp_lengths_stated_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2);

#endif
