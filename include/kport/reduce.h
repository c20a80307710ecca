/* Reductions: collective operations that combine the operands of the processors.
 *
 * As in collective.h, all members of the group make every call, in the same order. Each member
 * calls from the thread that carries its processor. An operand is `count` elements of `type`. `op`
 * combines operands element by element (operator.h). Sizes are in elements. `out` and `in` do not
 * overlap. A member that passes KP_IN_PLACE as `out` has put its operand into `in`. Buffers must be
 * aligned for their type.
 *
 * Errors are those of collective.h. In addition the error is KP_EARGUMENT if the operator does not
 * know the type, and KP_EMISMATCH if members differ in count, type or operator. */
#ifndef KPORT_REDUCE_H
#define KPORT_REDUCE_H

#include "collective.h"
#include "operator.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reduction (MPI_Reduce). Combines all processors' `out` into the root's `in`. kport ignores `in`
 * at all other members. Only the root may pass KP_IN_PLACE. Algorithms: `kport list`; they are
 * broadcasts run backwards (Saad and Schultz 1985). */
KP_API int kp_reduce(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                     const kp_operator *op, int root, const kp_hints *hints) KP_MUST_CHECK;

/* Allreduce (MPI_Allreduce). Combines all processors' `out` into every processor's `in`. All
 * processors get the same bits, unless the algorithm is the user's own and lacks same_order
 * (kp_algorithm). Algorithms: `kport list`. */
KP_API int kp_allreduce(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                        const kp_operator *op, const kp_hints *hints) KP_MUST_CHECK;

/* Reduce and scatter (MPI_Reduce_scatter_block). `out` holds n operands of `count` elements each.
 * kport combines operand j of all processors, and the result becomes processor j's `in`. With
 * KP_IN_PLACE the n operands lie in `in`, and the result replaces the first `count` elements of
 * `in`. The algorithms are concatenations run backwards (Bruck et al. 1997, section 4). */
KP_API int kp_reduce_scatter(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                             const kp_operator *op, const kp_hints *hints) KP_MUST_CHECK;

/* Reduce and scatter with a number of elements for every member (MPI_Reduce_scatter). `out` holds n
 * operands, one behind the other; operand j has counts[j] elements. kport combines operand j of all
 * processors, and the result becomes processor j's `in`, of counts[j] elements. With KP_IN_PLACE
 * the n operands lie in `in`, and the result replaces the first elements of `in`. A count may be 0.
 * All members give the same n counts. As in the v forms (lengths.h), the members compare the counts
 * before any data moves, the choice of the algorithm goes by the mean length, and the call works by
 * the barrier, also in a group with mailboxes. The errors are those of the v forms, too, and:
 * KP_EMISMATCH if members give different counts for a processor; the sentence names the processor,
 * the first member that differs, and both counts. */
KP_API int kp_reduce_scatterv(kp_group *group, const void *out, void *in, const size_t *counts,
                              kp_type type, const kp_operator *op,
                              const kp_hints *hints) KP_MUST_CHECK;

/* Scan (MPI_Scan). Combines the operands of processors 0 ... i into processor i's `in`. Algorithms:
 * `kport list`. */
KP_API int kp_scan(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                   const kp_operator *op, const kp_hints *hints) KP_MUST_CHECK;

/* Exclusive scan (MPI_Exscan). Combines the operands of processors 0 ... i - 1 into processor i's
 * `in`. kport does not write `in` of processor 0. Algorithms: `kport list`. */
KP_API int kp_scan_exclusive(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                             const kp_operator *op, const kp_hints *hints) KP_MUST_CHECK;

#ifndef KP_NO_CALL_SITES
#define kp_reduce(...)          (kp_here(__FILE__, __LINE__), kp_reduce(__VA_ARGS__))
#define kp_allreduce(...)       (kp_here(__FILE__, __LINE__), kp_allreduce(__VA_ARGS__))
#define kp_reduce_scatter(...)  (kp_here(__FILE__, __LINE__), kp_reduce_scatter(__VA_ARGS__))
#define kp_reduce_scatterv(...) (kp_here(__FILE__, __LINE__), kp_reduce_scatterv(__VA_ARGS__))
#define kp_scan(...)            (kp_here(__FILE__, __LINE__), kp_scan(__VA_ARGS__))
#define kp_scan_exclusive(...)  (kp_here(__FILE__, __LINE__), kp_scan_exclusive(__VA_ARGS__))
#endif

/* MPI's name for this call. */
#define kp_exscan(...) (KP_HERE_BY_MPI_NAME, (kp_scan_exclusive)(__VA_ARGS__))

#ifdef __cplusplus
}
#endif

#endif
