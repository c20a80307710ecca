/* This header declares the costs of schedules, lower bounds of costs, and the linear model T = C1
 * beta + C2 tau.
 *
 * Sources: Bruck et al. 1997, section 1.2 (C1, C2, T) and section 2 (bounds). All functions of this
 * header are pure, so any thread may call them. */
#ifndef KPORT_MODEL_H
#define KPORT_MODEL_H

#include <stdint.h>

#include "schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kp_cost {
    uint64_t c1;       /* C1: the number of rounds in which a message is sent */
    uint64_t c2;       /* C2: the sum over the rounds of the longest message, in bytes */
    uint64_t messages; /* the number of messages that all processors send */
    uint64_t bytes;    /* the number of bytes that all processors send */
} kp_cost;

/* Returns the cost of a schedule for blocks of `b` bytes. If the schedule splits blocks, `b` must
 * be the block length for which the schedule was built. */
KP_API kp_cost kp_schedule_cost(const kp_schedule *schedule, size_t b);

/* Returns the cost of the messages between processes alone (per_process in kp_problem). C1 is the
 * number of rounds in which such a message is sent, C2 the sum over the rounds of the longest such
 * message. If per_process is 0 or 1, every processor counts as a process, so the cost is that of
 * kp_schedule_cost. */
KP_API kp_cost kp_schedule_cost_between(const kp_schedule *schedule, size_t b);

/* Returns the smallest d with base^d >= n, computed in integers. Requires base >= 2 and n >= 1. */
KP_API int kp_ceil_log(uint64_t n, uint64_t base);

/* `kp_bound_c1` returns a lower bound of C1. `kp_bound_c2` returns a lower bound of C2, in bytes
 * (Propositions 2.1 to 2.4). One schedule need not reach both bounds. The bounds are 0 if n = 1. C1
 * is at least ceil(log_{k+1} n). C2 is at least
 * - ceil(b (n - 1) / k) in general;
 * - ceil(b / k) if no processor needs to send or receive more than one block (broadcast, reduce,
 *   scan);
 * - ceil(2 b (n - 1) / (n k)) for an allreduce (folklore, not from the paper), because each byte is
 *   sent n - 1 times to collect the operands, and n - 1 times to distribute the result.
 *
 * For KP_ONE_TO_ONE the bounds are 1 round and ceil(b / k) bytes if the target is not the root. For
 * the v forms the bounds hold if all blocks have b bytes. */
KP_API uint64_t kp_bound_c1(kp_operation operation, int n, int k);
KP_API uint64_t kp_bound_c2(kp_operation operation, int n, int k, size_t b);

/* Computes the bound of Theorem 2.5 for an index, where n is a power of k + 1. The bound is the
 * least C2, in bytes, of an index with C1 = log_{k+1} n. Returns 1 and stores the bound in `c2`.
 * Returns 0 if the theorem does not apply. */
KP_API int kp_bound_index_c2_at_least_rounds(int n, int k, size_t b, uint64_t *c2);

/* Returns the bound of Theorem 2.6: ceil((n - 1) / k), the least C1 of an index with C2 = b (n - 1)
 * / k. */
KP_API uint64_t kp_bound_index_c1_at_least_bytes(int n, int k);

/* The constants of the model, in microseconds. beta is the time to start a round, and tau is the
 * time of a byte. The term C2 tau is too large if processors share one memory and few of them send
 * in a round. Therefore the model limits it to min(C2 tau, C1 copy_us B). Here copy_us is the time
 * in which one processor copies a byte, and B is kp_operation_bytes. copy_us 0 means no limit. An
 * allreduce has no limit either, because there all processors may send in each round.
 *
 * If processors share processes (per_process in kp_problem), there is no such limit. Let C1' and
 * C2' be those of the messages between processes, and let s processors of a process send such
 * messages. The time is then s (C1' beta + C2' tau) + ((C1 - C1') beta + (C2 - C2') tau) / 10: the
 * processors of a process share its way to others, and messages within a process are fast. */
typedef struct kp_model {
    double beta_us;
    double tau_us;
    double copy_us;
} kp_model;

/* Returns the number of bytes that must move, summed over all processors: b n (n - 1) in an index,
 * concatenation or reduce-scatter, 2 b (n - 1) in an allreduce, and b (n - 1) in every other
 * operation. */
KP_API double kp_operation_bytes(const kp_problem *problem);

/* Returns the constants that kport uses if the caller gives none. They depend only on n and k, so
 * that choices made with them are the same on every machine. */
KP_API kp_model kp_model_builtin(int n, int k);

/* Returns C1 beta + C2 tau in microseconds. This function does not apply the limit by copy_us. */
KP_API double kp_model_time(const kp_model *model, uint64_t c1, uint64_t c2);

/* Chooses the algorithm and parameters that the problem leaves open, and stores them in the
 * problem. Of all algorithms of the library that serve the problem, kp_tune takes the one with the
 * least predicted time. If several have the same time, kp_tune takes the first of them. If `model`
 * is NULL, it uses kp_model_builtin. Errors: KP_EPROBLEM, KP_EUNSERVED. */
KP_API int kp_tune(kp_problem *problem, const kp_model *model) KP_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
