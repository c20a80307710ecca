/* Persistent plans: a collective call that is prepared once and executed many times, without
 * allocation or lookup at execution (MPI's persistent collectives).
 *
 * Under KP_TUNING_MEASURED a plan that leaves its algorithm open executes as a plain call until the
 * members have chosen. Its next execution adopts the choice and allocates memory for it.
 *
 * For the v forms (lengths.h) lengths may change between executions; each execution compares them.
 * An execution whose lengths differ from the last one's looks up the call again and allocates; the
 * others do neither.
 *
 * A plan belongs to a member's handle. Making a plan is no collective call: it sends nothing, and
 * each member makes its plan when it likes. Executing a plan is a collective call. It matches the
 * other members' executions, or their plain calls of the same operation. */
#ifndef KPORT_PERSISTENT_H
#define KPORT_PERSISTENT_H

#include "collective.h"
#include "operator.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arguments of any call of collective.h, reduce.h or lengths.h. A field that the operation does
 * not have must be 0. A broadcast's data is `in`. */
typedef struct kp_arguments {
    kp_operation operation;
    const void *out;
    void *in;
    size_t b;              /* bytes of a block */
    size_t count;          /* reductions, instead of b: the number of elements */
    kp_type type;          /* reductions: the elements' type */
    const kp_operator *op; /* reductions: the operator; must stay until the plan is freed */
    /* The v forms: arrays, which must exist as long as the plan; for a single block its bytes
     * (out_bytes, in_bytes), which cannot change. */
    const size_t *out_counts, *out_displacements, *in_counts, *in_displacements;
    size_t out_bytes, in_bytes;
    int root, to;
    const kp_hints *hints; /* read only by kp_plan_make */
} kp_arguments;

typedef struct kp_persistent kp_plan;

/* Makes a plan for this member. Called by the thread that carries the member's processor. The
 * buffers must keep their addresses as long as the plan is executed; their contents may change
 * between executions. Errors, at this member only: KP_EARGUMENT (also for a field that the
 * operation does not have); KP_EALGORITHM, KP_EUNSERVED, KP_EPROBLEM, KP_ESCHEDULE, KP_EUNCHECKED
 * as the call itself; KP_EMEMORY. */
KP_API int kp_plan_make(kp_group *group, const kp_arguments *arguments,
                        kp_plan **plan) KP_MUST_CHECK;

/* Executes the plan, from the same thread. Ordering and errors are those of the plain call. The
 * errors of kp_plan_make cannot occur, except after lengths have changed or while first calls are
 * measured. */
KP_API int kp_plan_execute(kp_plan *plan) KP_MUST_CHECK;

/* Frees the plan. Called by the thread that made it, or by any thread after its run. NULL is
 * allowed. Errors, after which the plan is unchanged: KP_EWRONGTHREAD, KP_EENDED (already freed),
 * KP_EFAILED while a call of the calling processor is unfinished. */
KP_API int kp_plan_free(kp_plan *plan);

#ifndef KP_NO_CALL_SITES
#define kp_plan_make(...)    (kp_here(__FILE__, __LINE__), kp_plan_make(__VA_ARGS__))
#define kp_plan_execute(...) (kp_here(__FILE__, __LINE__), kp_plan_execute(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
