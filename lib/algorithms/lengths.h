/* This header is for algorithms whose blocks have lengths of their own (the v forms, for example
 * indexv). Each of them uses the schedule of an algorithm for equal blocks, which is called its
 * lender here. The schedule does not depend on the lengths, so it moves every block whole. */
#ifndef KPORT_LIB_ALGORITHMS_LENGTHS_H
#define KPORT_LIB_ALGORITHMS_LENGTHS_H

#include "kport/schedule.h"

/* The bytes that a message carries for the length of one block. */
#define KP_LENGTH_BYTES 8

/* Returns a copy of the problem, changed for the lender (problem->algorithm->same_schedule_as). In
 * the copy a block has one byte, or in a reduction one element, so the lender does not split it. */
kp_problem kp_problem_of_lender(const kp_problem *problem);

/* Stores C1 and C2 of an algorithm that has a lender. C1 is the C1 of the lender. C2 = B (b + h),
 * where B is the lender's C2 in blocks, and b is the length of the longest block. h is
 * KP_LENGTH_BYTES if the length of each block travels with the block, else 0. */
void kp_lengths_stated_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2);

/* Stores C1 and C2 of a reduction whose schedule is that of `forwards` run backwards: the same. */
void kp_lengths_backwards_cost(const kp_algorithm *forwards, const kp_problem *problem,
                               uint64_t *c1, uint64_t *c2);

#endif
