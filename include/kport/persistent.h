/* Persistent plans: a collective call made once and executed many times, with no allocation and no
 * lookup at execution (MPI's persistent collectives).
 *
 * Where first calls are measured (KP_TUNING_MEASURED), a plan whose algorithm is left open is
 * executed as a plain call until the members have decided; at its next execution it takes what they
 * have decided, and memory for that.
 *
 * Where every block has a length of its own (lengths.h), lengths may change from one execution to
 * the next, and are compared in each. What serves is looked for, and memory taken, when they have
 * changed; executions with the lengths of the one before do neither.
 *
 * A plan belongs to its handle of the group. Making one is no collective call: it sends nothing,
 * and members may make theirs at any time. Executing one is, and goes together with the other
 * members' executions, or with their plain calls of the same operation: in the model there is no
 * difference. */
#ifndef KPORT_PERSISTENT_H
#define KPORT_PERSISTENT_H

#include "collective.h"
#include "operator.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arguments of any call of collective.h, reduce.h or lengths.h; those that the operation does
 * not have have to be 0. Of a broadcast the data is `in`. */
typedef struct kp_arguments {
    kp_operation operation;
    const void *out;
    void *in;
    size_t b;              /* bytes of a block; */
    size_t count;          /* of a reduction instead the elements, */
    kp_type type;          /* their type, */
    const kp_operator *op; /* and what combines them; stays until the plan is freed */
    /* Of an operation with a length for every block: arrays that stay as long as the plan, or,
     * where there is one block, its bytes, which stay the same. */
    const size_t *out_counts, *out_displacements, *in_counts, *in_displacements;
    size_t out_bytes, in_bytes;
    int root, to;
    const kp_how *how; /* needed until the plan is made */
} kp_arguments;

typedef struct kp_persistent kp_plan;

/* Makes a plan for this group. By the group's own processor, from its thread. The buffers stay
 * where they are as long as the plan is executed; what is in them may change between executions.
 * Errors, at this member only: KP_EARGUMENT (also a field that the operation does not have),
 * KP_EALGORITHM, KP_EUNSERVED, KP_EPROBLEM, KP_ESCHEDULE, KP_EUNCHECKED as the call itself,
 * KP_EMEMORY. */
KP_API int kp_plan_make(kp_group *group, const kp_arguments *arguments,
                        kp_plan **plan) KP_MUST_CHECK;

/* Carries it out. Errors and ordering are those of the plain call, without those above unless there
 * are lengths that have changed, or calls are measured. */
KP_API int kp_plan_execute(kp_plan *plan) KP_MUST_CHECK;

/* From the thread that made it, or when its run is over. NULL is allowed. Errors: KP_EWRONGTHREAD,
 * KP_EENDED (it has been freed); nothing is done then. */
KP_API int kp_plan_free(kp_plan *plan);

#ifndef KP_NO_CALL_SITES
#define kp_plan_make(...)    (kp_here(__FILE__, __LINE__), kp_plan_make(__VA_ARGS__))
#define kp_plan_execute(...) (kp_here(__FILE__, __LINE__), kp_plan_execute(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
