/* Costs of schedules, lower bounds, and the linear model T = C1 beta + C2 tau.
 *
 * Sources: Bruck et al. 1997, section 1.2 (C1, C2, T) and section 2 (bounds). All functions here
 * are pure; any thread may call them. */
#ifndef KPORT_MODEL_H
#define KPORT_MODEL_H

#include <stdint.h>

#include "schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kp_cost {
    uint64_t c1;       /* C1: the rounds in which a message is sent */
    uint64_t c2;       /* C2: the sum over the rounds of the longest message, in bytes */
    uint64_t messages; /* the messages of all processors */
    uint64_t bytes;    /* the bytes that all processors send */
} kp_cost;

/* Returns the cost of a schedule for blocks of `b` bytes. If the schedule splits blocks, `b` must
 * be the length it was built for. */
KP_API kp_cost kp_schedule_cost(const kp_schedule *schedule, size_t b);

/* Returns the smallest d with base^d >= n, computed in integers; base >= 2, n >= 1. */
KP_API int kp_ceil_log(uint64_t n, uint64_t base);

/* Return lower bounds of C1, and of C2 in bytes, each taken alone (Propositions 2.1 to 2.4); 0 if n
 * = 1. C1 is at least ceil(log_{k+1} n). C2 is at least
 * - ceil(b (n - 1) / k) in general;
 * - ceil(b / k) if no processor sends or receives more than one block (broadcast, reduce, scan);
 * - ceil(2 b (n - 1) / (n k)) for an allreduce: each unit takes n - 1 messages to collect and n - 1
 *   to distribute (folklore, not from the paper).
 * One to one takes 1 round and ceil(b / k) bytes if the target is not the root. For the v forms the
 * bounds hold if all blocks have b bytes. */
KP_API uint64_t kp_bound_c1(kp_operation operation, int n, int k);
KP_API uint64_t kp_bound_c2(kp_operation operation, int n, int k, size_t b);

/* Theorem 2.5: the least C2, in bytes, of an index with C1 = log_{k+1} n, where n is a power of k +
 * 1. Returns 1 and stores the bound in `c2`, or returns 0 where the theorem does not apply. */
KP_API int kp_bound_index_c2_at_least_rounds(int n, int k, size_t b, uint64_t *c2);

/* Theorem 2.6: returns ceil((n - 1) / k), the least C1 of an index with C2 = b (n - 1) / k. */
KP_API uint64_t kp_bound_index_c1_at_least_bytes(int n, int k);

/* The model's constants, in microseconds. beta is the time to start a round; tau is the time of a
 * byte. C2 tau is too large if processors share one memory and few of them send in a round.
 * Therefore copy_us, the time in which one processor copies a byte, limits the time of the bytes to
 * min(C2 * tau, C1 * copy_us * kp_operation_bytes). copy_us 0: no such limit. */
typedef struct kp_model {
    double beta_us;
    double tau_us;
    double copy_us;
} kp_model;

/* Returns the bytes that must move, summed over all processors: b for each pair of processors in an
 * index, concatenation or reduce-scatter; 2 b (n - 1) in an allreduce; b (n - 1) otherwise. */
KP_API double kp_operation_bytes(const kp_problem *problem);

/* Returns the constants that kport uses if the caller gives none. They depend only on n and k, so
 * that choices made with them are the same on every machine. */
KP_API kp_model kp_model_builtin(int n, int k);

/* Returns C1 beta + C2 tau in microseconds, without the bound by copy_us. */
KP_API double kp_model_time(const kp_model *model, uint64_t c1, uint64_t c2);

/* Fills in the algorithm and parameters that the problem leaves open. Of all algorithms in the
 * table that serve the problem it takes the one with the least predicted time, on a tie the first.
 * `model` NULL: kp_model_builtin. Errors: KP_EPROBLEM, KP_EUNSERVED. */
KP_API int kp_tune(kp_problem *problem, const kp_model *model) KP_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
