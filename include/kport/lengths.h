/* Collective operations whose blocks have lengths of their own.
 *
 * As in collective.h, every call is made by all members of the group, each through its own handle,
 * from the thread that carries the processor, in the same order on every member; a call returns
 * when this processor's part is done. What a member wrote before its call is seen by those who
 * receive its blocks.
 *
 * All counts and displacements are in bytes; a count may be 0. Block j of a buffer are the
 * counts[j] bytes at displacements[j] from its beginning. `displacements` NULL: the blocks lie one
 * after the other. Blocks of an incoming buffer do not overlap each other nor anything that goes
 * out; outgoing ones may overlap each other. Bytes between the blocks are left alone. The arrays
 * are the caller's and stay unchanged until the call returns.
 *
 * Before anything moves the members compare: what a processor expects from another has to be what
 * that one sends. The comparison is the library's own, one round of the barrier without a message,
 * and counts in neither C1 nor C2. From it all know the longest block and the mean one, by which an
 * algorithm that is left open is chosen (the mean; where blocks are padded, the longest).
 *
 * Source of the algorithms: those for equal blocks, block for block (`kport list`); for the index
 * Fan, Gilray, Pascucci et al., HPDC 2022.
 *
 * Errors, on every member unless said otherwise:
 *   KP_EARGUMENT   own arguments cannot be: a buffer or an array that is NULL, blocks that overlap,
 *                  a count or displacement that is negative as a signed number or more than memory
 *                  can hold, a root outside the group; the sentence names the array, the index and
 *                  the value. The other members return KP_EPEER; nothing was moved, the group works
 *                  on
 *   KP_EALGORITHM, KP_EUNSERVED  the `how` names what is not there, or does not serve n and k; the
 *                  others return KP_EPEER
 *   KP_ESCHEDULE, KP_EUNCHECKED  as in collective.h, of an algorithm of one's own; nothing was
 *                  moved, the group works on
 *   KP_EMISMATCH   the members called different operations, or with another root or algorithm, or a
 *                  processor sends another number of bytes than its receiver expects; the sentence
 *                  names both sides; nothing was moved, the group works on
 *   KP_EMEMORY     no memory for the tables or the schedule: the others return KP_EPEER, nothing
 *                  was moved. Or none for a block that passes through a processor: then the block
 *                  is lost; that processor and the one it was for return KP_EMEMORY, and all other
 *                  blocks have come. In both cases the group works on
 *   KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_ETIMEOUT  the group is dead for this run
 *   KP_EUNTAKEN    a message of an earlier kp_exchange was not taken; this operation was done */
#ifndef KPORT_LENGTHS_H
#define KPORT_LENGTHS_H

#include "collective.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Index (MPI_Alltoallv): block j of processor i's `out` becomes block i of processor j's `in`. All
 * arrays have n entries. `out` KP_IN_PLACE: block j of `in` goes to processor j, whose block comes
 * to the same place and has the same length; out_counts and out_displacements do not count. */
KP_API int kp_indexv(kp_group *group, const void *out, const size_t *out_counts,
                     const size_t *out_displacements, void *in, const size_t *in_counts,
                     const size_t *in_displacements, const kp_how *how) KP_MUST_CHECK;

/* Concatenation (MPI_Allgatherv): the `out_bytes` bytes of processor i become block i of every
 * processor's `in`. The arrays have n entries; the counts are the same on every member, the
 * displacements need not be. `out` KP_IN_PLACE: the own block lies in its place of `in` already;
 * out_bytes does not count. */
KP_API int kp_concatv(kp_group *group, const void *out, size_t out_bytes, void *in,
                      const size_t *in_counts, const size_t *in_displacements,
                      const kp_how *how) KP_MUST_CHECK;

/* Scatter (MPI_Scatterv): block j of the root's `out` becomes the `in_bytes` bytes of processor j.
 * `out` and its arrays of n entries count only at the root. `in` KP_IN_PLACE, at the root: its own
 * block stays in `out`; in_bytes does not count there. */
KP_API int kp_scatterv(kp_group *group, const void *out, const size_t *out_counts,
                       const size_t *out_displacements, void *in, size_t in_bytes, int root,
                       const kp_how *how) KP_MUST_CHECK;

/* Gather (MPI_Gatherv): the `out_bytes` bytes of processor i become block i of the root's `in`.
 * `in` and its arrays of n entries count only at the root. `out` KP_IN_PLACE, at the root: its own
 * block lies in its place of `in` already; out_bytes does not count there. */
KP_API int kp_gatherv(kp_group *group, const void *out, size_t out_bytes, void *in,
                      const size_t *in_counts, const size_t *in_displacements, int root,
                      const kp_how *how) KP_MUST_CHECK;

#ifndef KP_NO_CALL_SITES
#define kp_indexv(...)   (kp_here(__FILE__, __LINE__), kp_indexv(__VA_ARGS__))
#define kp_concatv(...)  (kp_here(__FILE__, __LINE__), kp_concatv(__VA_ARGS__))
#define kp_scatterv(...) (kp_here(__FILE__, __LINE__), kp_scatterv(__VA_ARGS__))
#define kp_gatherv(...)  (kp_here(__FILE__, __LINE__), kp_gatherv(__VA_ARGS__))
#endif

/* The names MPI gives them. */
#define kp_alltoallv(...)  kp_indexv(__VA_ARGS__)
#define kp_allgatherv(...) kp_concatv(__VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
