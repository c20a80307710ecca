/* Problems: which problems are valid, and how they are written. */
#ifndef KPORT_LIB_PROBLEM_H
#define KPORT_LIB_PROBLEM_H

#include "kport/model.h"
#include "kport/schedule.h"

#include <stdbool.h>

#define KP_MOST_PROCESSORS 1048575

/* Returns 0 if the problem is valid: n, k and b are in range, and an algorithm, if it is named, is
 * one of the operation, serves, and has every given value in range. Otherwise sets and returns
 * KP_EPROBLEM or KP_EUNSERVED. */
int kp_problem_check(const kp_problem *problem);

/* Returns the target counted from the root, 0 if the operation has no target. */
int kp_target_from_root(const kp_problem *problem);

/* Returns how many parameters an algorithm declares. */
int kp_parameter_count(const kp_algorithm *algorithm);

/* Returns whether the problem's algorithm, or one of its parameters, is left open. */
bool kp_problem_is_open(const kp_problem *problem);

/* Return the least and the greatest value of a parameter for a problem. */
long kp_parameter_low(const kp_parameter *parameter, const kp_problem *problem);
long kp_parameter_high(const kp_parameter *parameter, const kp_problem *problem);

/* As kp_tune, where blocks have lengths of their own. The longest length counts for algorithms that
 * pad blocks to it, the mean for other algorithms. */
int kp_tune_lengths(kp_problem *problem, size_t longest, size_t mean, const kp_model *model);

/* As kp_model_time, with the bound on the bytes' part that kp_model describes. */
double kp_model_bounded_time(const kp_model *model, const kp_problem *problem, uint64_t c1,
                             uint64_t c2);

#endif
