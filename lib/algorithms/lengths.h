/* Algorithms for blocks that have lengths of their own: they take their schedules from those for
 * equal blocks, block for block. */
#ifndef KPORT_LIB_ALGORITHMS_LENGTHS_H
#define KPORT_LIB_ALGORITHMS_LENGTHS_H

#include "kport/schedule.h"

/* A length that travels is a number of eight bytes. */
#define KP_LENGTH_BYTES 8

/* What problem->algorithm->same_schedule_as is asked for: blocks of one byte, which nobody can
 * split. */
kp_problem kp_problem_of_lender(const kp_problem *problem);

/* C1 of the lender; C2 is the lender's in blocks, each of b bytes and the length that travels with
 * it. */
void kp_lengths_stated_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2);

#endif
