/* Problems: what they may be, and the words they are written in. */
#ifndef KPORT_LIB_PROBLEM_H
#define KPORT_LIB_PROBLEM_H

#include "kport/model.h"
#include "kport/schedule.h"

#include <stdbool.h>

#define KP_MOST_PROCESSORS 1048575

/* 0 if the problem can be: n, k, b in range, and, where an algorithm is named, that it is one of
 * the operation, serves, and has every given value in range. Else KP_EPROBLEM or KP_EUNSERVED. */
int kp_problem_check(const kp_problem *problem);

/* The target counted from the root; 0 where the operation has none. */
int kp_target_from_root(const kp_problem *problem);

/* How many parameters an algorithm declares. */
int kp_parameter_count(const kp_algorithm *algorithm);

/* Whether its algorithm, or a parameter of it, is left open. */
bool kp_problem_is_open(const kp_problem *problem);

/* The values a parameter may have for a problem. */
long kp_parameter_low(const kp_parameter *parameter, const kp_problem *problem);
long kp_parameter_high(const kp_parameter *parameter, const kp_problem *problem);

/* kp_tune where blocks have lengths of their own: by the longest one where they are padded to it,
 * by the mean elsewhere. */
int kp_tune_lengths(kp_problem *problem, size_t longest, size_t mean, const kp_model *model);

/* kp_model_time, with the bytes' part bounded as kp_model says. */
double kp_model_bounded_time(const kp_model *model, const kp_problem *problem, uint64_t c1,
                             uint64_t c2);

#endif
