/* A persistent plan is a collective call that is prepared once and executed many times. An
 * execution allocates nothing and looks nothing up. (MPI calls this a persistent collective.) There
 * are two exceptions:
 * - Under KP_TUNING_MEASURED, a plan that leaves its algorithm open executes as a plain call until
 *   the members have chosen an algorithm. The plan's next execution adopts the choice and allocates
 *   memory for it.
 * - In the v forms (lengths.h), lengths may change between executions, so each execution compares
 *   them. An execution whose lengths differ from those of the last execution looks up the call
 *   again and allocates memory.
 *
 * A plan belongs to a member's handle of a group. Making a plan sends nothing, so each member may
 * make its plan at any time. Executing a plan is a collective call. An execution matches the other
 * members' executions, or their plain calls of the same operation. */
#ifndef KPORT_PERSISTENT_H
#define KPORT_PERSISTENT_H

#include "collective.h"
#include "layout.h"
#include "operator.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arguments of any call of collective.h, reduce.h or lengths.h. If the operation does not have
 * an argument, its field must be 0. A broadcast has its data in `in`. */
typedef struct kp_arguments {
    kp_operation operation;
    const void *out;
    void *in;
    size_t b;     /* the bytes of a block */
    size_t count; /* in reductions, instead of b: the number of elements */
    kp_type type; /* in reductions: the elements' type */
    /* In reductions: the operator, which must exist until the plan is freed. */
    const kp_operator *op;
    /* In the v forms: the arrays of lengths and displacements, which must exist as long as the
     * plan; in bytes, or with layouts lengths in blocks and displacements in extents of the layout.
     * If the member has a single block, out_bytes or in_bytes is the fixed length of this block.
     * KP_REDUCE_SCATTERV has only out_counts, in elements. */
    const size_t *out_counts, *out_displacements, *in_counts, *in_displacements;
    size_t out_bytes, in_bytes;
    /* For blocks with layouts (layout.h): the layouts, instead of b the counts of a block, and in
     * the v forms instead of out_bytes or in_bytes the count of a single block. If one layout is
     * given, NULL as the other is a byte. A broadcast has its layout and count in in_layout and
     * in_count. The plan keeps the layouts. */
    const kp_layout *out_layout, *in_layout;
    size_t out_count, in_count;
    /* In indexv, instead of out_layout and in_layout: a layout for each block, and then
     * displacements are in bytes (kp_indexw). Arrays and layouts must exist as long as the plan. */
    const kp_layout *const *out_layouts, *const *in_layouts;
    int root, to; /* ranks in the group */
    union {
        const kp_hints *hints; /* the algorithm; only kp_plan_make reads the hints */
        const kp_hints *how;   /* the former name of `hints` */
    };
} kp_arguments;

typedef struct kp_persistent kp_plan;

/* Makes a plan for this member (MPI_Alltoall_init and the like). Only the thread that carries the
 * member's processor may call this function. The buffers must keep their addresses as long as the
 * plan is executed. Their contents may change between executions. Errors, which only this member
 * gets: KP_EARGUMENT, also if a field is set that the operation does not have; KP_EMEMORY;
 * KP_EALGORITHM, KP_EUNSERVED, KP_EPROBLEM, KP_ESCHEDULE or KP_EUNCHECKED as in the plain call. */
KP_API int kp_plan_make(kp_group *group, const kp_arguments *arguments,
                        kp_plan **plan) KP_MUST_CHECK;

/* Executes the plan (MPI_Start and MPI_Wait). The thread that made the plan must call this
 * function. Ordering and errors are those of the plain call. The errors of kp_plan_make occur only
 * after lengths have changed, or while the first calls of a problem are measured. */
KP_API int kp_plan_execute(kp_plan *plan) KP_MUST_CHECK;

/* Frees the plan, which may be NULL. The thread that made the plan may call this function; after
 * the run any thread may. After an error the plan is unchanged. Errors: KP_EWRONGTHREAD; KP_EENDED
 * if the plan is freed already; KP_EBUSY while a
 * request of the plan has not ended (kp_plan_start); KP_EFAILED while a call of the calling
 * processor is unfinished. */
KP_API int kp_plan_free(kp_plan *plan);

#ifndef KP_NO_CALL_SITES
#define kp_plan_make(...)    (kp_here(__FILE__, __LINE__), kp_plan_make(__VA_ARGS__))
#define kp_plan_execute(...) (kp_here(__FILE__, __LINE__), kp_plan_execute(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
