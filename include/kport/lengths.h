/* Collective operations whose blocks have lengths of their own (the v forms).
 *
 * As in collective.h, all members of the group make every call, in the same order. Each member uses
 * its own handle, from the thread that carries its processor. A call returns when this processor's
 * part is done. A receiver sees everything that the senders of its blocks wrote before their calls.
 *
 * All counts and displacements are in bytes. A count may be 0. Block j of a buffer consists of
 * counts[j] bytes and begins displacements[j] bytes after the buffer's beginning. If
 * `displacements` is NULL, the blocks follow each other without gaps. The blocks of an incoming
 * buffer must not overlap each other or outgoing data. Outgoing blocks may overlap each other.
 * kport leaves the bytes between blocks unchanged. The caller's arrays must stay unchanged until
 * the call returns.
 *
 * Before any block moves, the members check that each sender's count is its receiver's count. If
 * every member has a port for every other one (the default) and `hints` leaves the algorithm open,
 * every block goes straight to its receiver in one round, and the episode of this round makes the
 * check. Otherwise the check takes one episode of the barrier, which counts neither in C1 nor in
 * C2. The members then also compute the longest and the mean length of all blocks. If `hints`
 * leaves the algorithm open, kport chooses it by the mean length, or by the longest length if the
 * algorithm pads blocks (`pads` of kp_algorithm).
 *
 * The algorithms are those for equal blocks, applied block by block (`kport list`). Source for the
 * index: Fan, Gilray, Pascucci et al., HPDC 2022.
 *
 * Errors. Unless an entry says otherwise, every member gets the same error, no data was moved, and
 * the group stays usable.
 * - KP_EARGUMENT: an argument of this member is invalid. A buffer or array is NULL, blocks overlap,
 *   or the root is outside the group. Another cause is a count or displacement that exceeds memory,
 *   or that would be negative as a signed number. The sentence names the array, the index and the
 *   value. The other members get KP_EPEER.
 * - KP_EALGORITHM, KP_EUNSERVED: `hints` names an unknown algorithm, or an algorithm that does not
 *   serve n and k. The other members get KP_EPEER.
 * - KP_ESCHEDULE, KP_EUNCHECKED: kport refuses the user's own algorithm, as in collective.h.
 * - KP_EMISMATCH: members called different operations, or differ in root or algorithm, or a
 *   sender's count is not its receiver's count. The sentence names the two calls or counts.
 * - KP_EMEMORY: there is no memory for the table of blocks or for the schedule. The other members
 *   get KP_EPEER. If a member has no memory for a block that it must pass on, it and the block's
 *   receiver get KP_EMEMORY, the block is lost, and all other blocks have arrived.
 * - KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_ETIMEOUT: the group is unusable for the rest of the run.
 * - KP_EUNTAKEN: a receiver did not take a message of an earlier kp_exchange. The call that returns
 *   this error is itself complete. */
#ifndef KPORT_LENGTHS_H
#define KPORT_LENGTHS_H

#include "collective.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Index (MPI_Alltoallv). Block j of processor i's `out` becomes block i of processor j's `in`. All
 * arrays have n entries. If `out` is KP_IN_PLACE, block j of `in` goes to processor j, and the
 * block from processor j takes its place. The two blocks must have the same length. kport then
 * ignores out_counts and out_displacements. */
KP_API int kp_indexv(kp_group *group, const void *out, const size_t *out_counts,
                     const size_t *out_displacements, void *in, const size_t *in_counts,
                     const size_t *in_displacements, const kp_hints *hints) KP_MUST_CHECK;

/* Concatenation (MPI_Allgatherv). The `out_bytes` bytes at processor i's `out` become block i of
 * every processor's `in`. The arrays have n entries. The counts must be the same on all members.
 * The displacements may differ. If `out` is KP_IN_PLACE, this member's block already lies at its
 * displacement in `in`, and kport ignores out_bytes. */
KP_API int kp_concatv(kp_group *group, const void *out, size_t out_bytes, void *in,
                      const size_t *in_counts, const size_t *in_displacements,
                      const kp_hints *hints) KP_MUST_CHECK;

/* Scatter (MPI_Scatterv). Block j of the root's `out` becomes the `in_bytes` bytes at processor j's
 * `in`. Only the root uses `out` and its arrays of n entries. If the root passes KP_IN_PLACE as
 * `in`, the root's block stays in `out`, and kport ignores the root's in_bytes. */
KP_API int kp_scatterv(kp_group *group, const void *out, const size_t *out_counts,
                       const size_t *out_displacements, void *in, size_t in_bytes, int root,
                       const kp_hints *hints) KP_MUST_CHECK;

/* Gather (MPI_Gatherv). The `out_bytes` bytes at processor i's `out` become block i of the root's
 * `in`. Only the root uses `in` and its arrays of n entries. If the root passes KP_IN_PLACE as
 * `out`, the root's block already lies at its displacement in `in`, and kport ignores the root's
 * out_bytes. */
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
#define kp_alltoallv(...)  (KP_HERE_BY_MPI_NAME, (kp_indexv)(__VA_ARGS__))
#define kp_allgatherv(...) (KP_HERE_BY_MPI_NAME, (kp_concatv)(__VA_ARGS__))

#ifdef __cplusplus
}
#endif

#endif
