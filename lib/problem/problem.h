/* This header declares functions that check problems and their parameters, and variants of kp_tune
 * and kp_model_time. */
#ifndef KPORT_LIB_PROBLEM_H
#define KPORT_LIB_PROBLEM_H

#include "kport/model.h"
#include "kport/schedule.h"

#include <stdbool.h>

#define KP_MOST_PROCESSORS 1048575

/* Returns 0 if the problem is valid. In a valid problem n, k and b are in range. If an algorithm is
 * named, it belongs to the operation and serves the problem, and each given parameter is in range.
 * Otherwise the function sets and returns KP_EPROBLEM or KP_EUNSERVED. */
int kp_problem_check(const kp_problem *problem);

/* Writes a problem string for a sentence about a call: as kp_problem_format, but a root of 0 is
 * there too, so that two calls with different roots differ in words. */
void kp_problem_describe(const kp_problem *problem, char *text, size_t size);

/* Returns the target's rank, counted from the root. Returns 0 if the operation has no target. */
int kp_target_from_root(const kp_problem *problem);

/* Returns the number of parameters that an algorithm declares. */
int kp_parameter_count(const kp_algorithm *algorithm);

/* Returns whether the algorithm has the property same_order (kp_algorithm). */
bool kp_algorithm_has_same_order(const kp_algorithm *algorithm);

/* Returns whether the problem names no algorithm, or leaves a parameter open. */
bool kp_problem_is_open(const kp_problem *problem);

/* `kp_parameter_low` returns a parameter's least value for a problem. `kp_parameter_high` returns
 * its greatest value. */
long kp_parameter_low(const kp_parameter *parameter, const kp_problem *problem);
long kp_parameter_high(const kp_parameter *parameter, const kp_problem *problem);

/* Does the same as kp_tune, for blocks with lengths of their own. It predicts the time of an
 * algorithm that pads blocks for blocks of `longest` bytes, and the time of any other algorithm for
 * blocks of `mean` bytes. */
int kp_tune_lengths(kp_problem *problem, size_t longest, size_t mean, const kp_model *model);

/* Returns the time that the model predicts for a candidate, in microseconds, and stores the part of
 * the rounds in `rounds_us`. C1 and C2 are those that the candidate states. The time of the bytes
 * is limited as kp_model explains. If processors share processes, messages between processes count
 * more than others, and processors of a process take turns. */
double kp_model_predict(const kp_model *model, const kp_problem *candidate, uint64_t c1,
                        uint64_t c2, double *rounds_us);

/* As `b` of a call whose blocks have lengths of their own: the members have not compared the
 * lengths yet. kp_problem_describe then writes neither b nor count. */
#define KP_LENGTHS_UNKNOWN SIZE_MAX

#endif
