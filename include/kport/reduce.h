/* Reductions: collective operations that combine the operands of the processors.
 *
 * As in collective.h: every member of the group makes the call, from its own thread, in the same
 * order; errors are those listed there. An operand is `count` elements of `type`, combined element
 * by element with `op` (operator.h); sizes are in elements. `out` and `in` do not overlap unless
 * `out` is KP_IN_PLACE: then the own operand lies in `in` already. Buffers are aligned as their
 * type wants it.
 *
 * KP_EARGUMENT also where the operator does not know the type; KP_EMISMATCH also where the members
 * disagree about count, type or operator. */
#ifndef KPORT_REDUCE_H
#define KPORT_REDUCE_H

#include "collective.h"
#include "operator.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reduction (MPI_Reduce): `in` of `root` becomes all processors' `out`, combined. `in` counts only
 * at the root, and so does KP_IN_PLACE.
 * Algorithms: `kport list`; broadcasts backwards (Saad and Schultz 1985). */
KP_API int kp_reduce(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                     const kp_operator *op, int root, const kp_how *how) KP_MUST_CHECK;

/* The same with the result at every processor (MPI_Allreduce); bit for bit the same at all. */
KP_API int kp_allreduce(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                        const kp_operator *op, const kp_how *how) KP_MUST_CHECK;

/* Reduce and scatter (MPI_Reduce_scatter_block): `out` holds n operands of `count` elements each;
 * `in` of processor j becomes the j-th operands of all, combined. With KP_IN_PLACE the n operands
 * lie in `in`, and its first `count` elements become the result.
 * Algorithms: concatenations backwards (Bruck et al. 1997, section 4). */
KP_API int kp_reduce_scatter(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                             const kp_operator *op, const kp_how *how) KP_MUST_CHECK;

/* Scan (MPI_Scan): `in` of processor i becomes the operands of processors 0 ... i, combined. */
KP_API int kp_scan(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                   const kp_operator *op, const kp_how *how) KP_MUST_CHECK;

/* Exclusive scan (MPI_Exscan): those of processors 0 ... i - 1; `in` of processor 0 is not
 * touched. */
KP_API int kp_scan_exclusive(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                             const kp_operator *op, const kp_how *how) KP_MUST_CHECK;

#ifndef KP_NO_CALL_SITES
#define kp_reduce(...)         (kp_here(__FILE__, __LINE__), kp_reduce(__VA_ARGS__))
#define kp_allreduce(...)      (kp_here(__FILE__, __LINE__), kp_allreduce(__VA_ARGS__))
#define kp_reduce_scatter(...) (kp_here(__FILE__, __LINE__), kp_reduce_scatter(__VA_ARGS__))
#define kp_scan(...)           (kp_here(__FILE__, __LINE__), kp_scan(__VA_ARGS__))
#define kp_scan_exclusive(...) (kp_here(__FILE__, __LINE__), kp_scan_exclusive(__VA_ARGS__))
#endif

/* The name MPI gives it. */
#define kp_exscan(...) kp_scan_exclusive(__VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
