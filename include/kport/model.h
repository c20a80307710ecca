/* Costs, lower bounds, and the linear model that weighs rounds against bytes.
 *
 * Bruck et al. 1997, section 1.2 (C1, C2, T = C1 beta + C2 tau) and section 2 (bounds). */
#ifndef KPORT_MODEL_H
#define KPORT_MODEL_H

#include <stdint.h>

#include "schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kp_cost {
    uint64_t c1;       /* rounds in which anything is sent */
    uint64_t c2;       /* sum over the rounds of the largest message, in bytes */
    uint64_t messages; /* summed over all processors */
    uint64_t bytes;    /* summed over all processors */
} kp_cost;

/* Counts the cost of a schedule for blocks of `b` bytes (that it was built for, if it splits
 * blocks). Pure. */
KP_API kp_cost kp_schedule_cost(const kp_schedule *schedule, size_t b);

/* The smallest d with base^d >= n, in integers. base >= 2, n >= 1. */
KP_API int kp_ceil_log(uint64_t n, uint64_t base);

/* Stand-alone lower bounds, Propositions 2.1 to 2.4: ceil(log_{k+1} n) rounds and
 * ceil(b (n - 1) / k) bytes; for operations in which no processor sends or takes more than one
 * block (broadcast, reduce, scan) ceil(b / k) bytes, and ceil(2 b (n - 1) / (n k)) for an
 * allreduce, whose every unit needs n - 1 messages to be collected and n - 1 to be told (folklore,
 * not from that paper). Where blocks have lengths of their own they hold for blocks that are all b
 * long. One to one takes a round, and ceil(b / k) bytes, if the target is not the root. 0 where n
 * is 1. */
KP_API uint64_t kp_bound_c1(kp_operation operation, int n, int k);
KP_API uint64_t kp_bound_c2(kp_operation operation, int n, int k, size_t b);

/* Theorem 2.5: least C2 of an index that has C1 = log_{k+1} n, where n is a power of k + 1.
 * Returns 1 and stores it, or 0 where the theorem says nothing. */
KP_API int kp_bound_index_c2_at_least_rounds(int n, int k, size_t b, uint64_t *c2);

/* Theorem 2.6: least C1 of an index that has C2 = b (n - 1) / k: ceil((n - 1) / k). */
KP_API uint64_t kp_bound_index_c1_at_least_bytes(int n, int k);

/* beta: start-up time of a round; tau: time of a byte; both in microseconds. Where all processors
 * share one memory, C2 tau says too much of a round in which few of them send: then copy_us, the
 * time of a byte that any of them copies, bounds the bytes' part of the estimate by that of C1
 * times the bytes that have to move whatever the algorithm (kp_operation_bytes). 0: no such
 * bound. */
typedef struct kp_model {
    double beta_us;
    double tau_us;
    double copy_us;
} kp_model;

/* Bytes that have to move at least, summed over all processors: b for each pair in an index,
 * concatenation or reduce-scatter, b for each processor but one otherwise, twice that for an
 * allreduce. */
KP_API double kp_operation_bytes(const kp_problem *problem);

/* The constants used where the caller gives none; a function of n and k only, so that the choice
 * made with them is the same on every machine. */
KP_API kp_model kp_model_builtin(int n, int k);

/* C1 beta + C2 tau, in microseconds; copy_us does not count here. */
KP_API double kp_model_time(const kp_model *model, uint64_t c1, uint64_t c2);

/* Fills in what the problem leaves open: the algorithm and its parameters, those with the least
 * predicted time among all in the table that serve it; on a tie the first. Errors: KP_EPROBLEM,
 * KP_EUNSERVED. `model` NULL: the built-in one. Pure. */
KP_API int kp_tune(kp_problem *problem, const kp_model *model) KP_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
