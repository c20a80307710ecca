/* Collective operations whose blocks have lengths of their own (the v forms).
 *
 * As in collective.h, all members of the group make every call, in the same order, each with its
 * own handle, from the thread that carries the processor. A call returns when this processor's part
 * is done. A receiver sees all that the senders of its blocks wrote before their calls.
 *
 * All counts and displacements are in bytes; a count may be 0. Block j of a buffer is the counts[j]
 * bytes at displacements[j] from the buffer's beginning. If `displacements` is NULL, the blocks
 * follow each other without gaps. Blocks of an incoming buffer may not overlap each other or
 * outgoing data; outgoing blocks may overlap each other. kport leaves bytes between the blocks
 * unchanged. The caller's arrays must stay unchanged until the call returns.
 *
 * Before any block moves, the members check that each sends what its receiver expects. The check
 * takes one episode of the barrier, which counts in neither C1 nor C2. It also yields the longest
 * and the mean block. If `hints` leaves the algorithm open, kport chooses by the mean length, or
 * for padded blocks by the longest.
 *
 * Source of the algorithms: those for equal blocks, block for block (`kport list`); for the index
 * Fan, Gilray, Pascucci et al., HPDC 2022.
 *
 * Errors. Unless the list says otherwise every member returns the same, nothing was moved, and the
 * group stays usable.
 *   KP_EARGUMENT   an own argument is invalid: a NULL buffer or array, overlapping blocks, a count
 *                  or displacement that is negative as a signed number or exceeds memory, a root
 *                  outside the group. The sentence names the array, the index and the value. The
 *                  others return KP_EPEER
 *   KP_EALGORITHM, KP_EUNSERVED  `hints` names an unknown algorithm, or one that does not serve n
 * and k; the others return KP_EPEER KP_ESCHEDULE, KP_EUNCHECKED  the user's own algorithm is
 * refused, as in collective.h KP_EMISMATCH   members called different operations, or differ in root
 * or algorithm, or a sender's count is not its receiver's; the sentence names both sides KP_EMEMORY
 * no memory for tables or schedule; the others return KP_EPEER. Or a member has no memory for a
 * block that passes through it: then this member and the block's receiver return KP_EMEMORY, that
 * block is lost, and all other blocks have arrived KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_ETIMEOUT
 * the group is unusable for the rest of the run KP_EUNTAKEN    no receiver took a message of an
 * earlier kp_exchange; this operation is complete
 */
#ifndef KPORT_LENGTHS_H
#define KPORT_LENGTHS_H

#include "collective.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Index (MPI_Alltoallv): block j of processor i's `out` becomes block i of processor j's `in`. All
 * arrays have n entries. If `out` is KP_IN_PLACE, block j of `in` goes to processor j, and
 * processor j's block of the same length replaces it; kport then ignores out_counts and
 * out_displacements. */
KP_API int kp_indexv(kp_group *group, const void *out, const size_t *out_counts,
                     const size_t *out_displacements, void *in, const size_t *in_counts,
                     const size_t *in_displacements, const kp_hints *hints) KP_MUST_CHECK;

/* Concatenation (MPI_Allgatherv): the `out_bytes` bytes at processor i's `out` become block i of
 * every processor's `in`. The arrays have n entries. The counts must be the same on every member;
 * displacements may differ. If `out` is KP_IN_PLACE, the own block already lies at its displacement
 * in `in`; kport then ignores out_bytes. */
KP_API int kp_concatv(kp_group *group, const void *out, size_t out_bytes, void *in,
                      const size_t *in_counts, const size_t *in_displacements,
                      const kp_hints *hints) KP_MUST_CHECK;

/* Scatter (MPI_Scatterv): block j of the root's `out` becomes the `in_bytes` bytes at processor j's
 * `in`. Only the root uses `out` and its arrays of n entries. If the root passes KP_IN_PLACE as
 * `in`, its own block stays in `out`, and kport ignores its in_bytes. */
KP_API int kp_scatterv(kp_group *group, const void *out, const size_t *out_counts,
                       const size_t *out_displacements, void *in, size_t in_bytes, int root,
                       const kp_hints *hints) KP_MUST_CHECK;

/* Gather (MPI_Gatherv): the `out_bytes` bytes at processor i's `out` become block i of the root's
 * `in`. Only the root uses `in` and its arrays of n entries. If the root passes KP_IN_PLACE as
 * `out`, its own block already lies at its displacement in `in`, and kport ignores its out_bytes.
 */
KP_API int kp_gatherv(kp_group *group, const void *out, size_t out_bytes, void *in,
                      const size_t *in_counts, const size_t *in_displacements, int root,
                      const kp_hints *hints) KP_MUST_CHECK;

#ifndef KP_NO_CALL_SITES
#define kp_indexv(...)   (kp_here(__FILE__, __LINE__), kp_indexv(__VA_ARGS__))
#define kp_concatv(...)  (kp_here(__FILE__, __LINE__), kp_concatv(__VA_ARGS__))
#define kp_scatterv(...) (kp_here(__FILE__, __LINE__), kp_scatterv(__VA_ARGS__))
#define kp_gatherv(...)  (kp_here(__FILE__, __LINE__), kp_gatherv(__VA_ARGS__))
#endif

/* MPI's names for these calls. */
#define kp_alltoallv(...)  kp_indexv(__VA_ARGS__)
#define kp_allgatherv(...) kp_concatv(__VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
