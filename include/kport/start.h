/* Collective calls that do not block. Each function starts the call of the same name without
 * `_start`, and stores a request (request.h). The arguments mean the same: `b`, lengths and
 * displacements are in bytes, `count` and `counts` in elements. The buffers belong to the request
 * until it has ended. `hints` is read during the start, and the operator must exist until the
 * request has ended. The algorithms are those of the blocking calls. Only the thread that carries
 * the member's processor may start a call.
 *
 * The members of the group start the same calls in the same order. Blocking calls of the group may
 * come between the starts, at the same places at all members. Any number of requests may be under
 * way, and they may end in any order. A start does not wait for other members.
 *
 * Four requests of a group are carried out at the same time. A fifth begins when the first has
 * ended. (A group has four lanes, each with buffers of its own; request number i takes lane i
 * modulo 4.) Requests use mailboxes, whatever the config's discipline: a member waits only for
 * those from which it needs data. Only an index, concatenation, allreduce or reduce-scatter of one
 * round goes by the barrier, because there every member needs data of all others.
 *
 * Errors: those of the blocking call. If a start refuses its arguments, it stores NULL. The other
 * members' requests of the same lane then end with KP_EPEER, and this lane is unusable for the rest
 * of the run; the group's blocking calls go on.
 *
 * Between processes of an MPI (KP_CARRIER_MPI) there are no mailboxes: a round of a request is over
 * when its messages have come. A start that refuses its arguments, and lengths that differ, make
 * the whole machine unusable there, and a deadlock ends by the time limit only. */
#ifndef KPORT_START_H
#define KPORT_START_H

#include "collective.h"
#include "lengths.h"
#include "persistent.h"
#include "reduce.h"
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Starts a barrier (MPI_Ibarrier). The request ends after all members have started it. */
KP_API int kp_barrier_start(kp_group *group, kp_request **request) KP_MUST_CHECK;
/* Starts kp_index (MPI_Ialltoall): blocks of b bytes. */
KP_API int kp_index_start(kp_group *group, const void *out, void *in, size_t b,
                          const kp_hints *hints, kp_request **request) KP_MUST_CHECK;
/* Starts kp_concat (MPI_Iallgather): blocks of b bytes. */
KP_API int kp_concat_start(kp_group *group, const void *out, void *in, size_t b,
                           const kp_hints *hints, kp_request **request) KP_MUST_CHECK;
/* Starts kp_broadcast (MPI_Ibcast): b bytes. */
KP_API int kp_broadcast_start(kp_group *group, void *data, size_t b, int root,
                              const kp_hints *hints, kp_request **request) KP_MUST_CHECK;
/* Starts kp_scatter (MPI_Iscatter): blocks of b bytes. */
KP_API int kp_scatter_start(kp_group *group, const void *out, void *in, size_t b, int root,
                            const kp_hints *hints, kp_request **request) KP_MUST_CHECK;
/* Starts kp_gather (MPI_Igather): blocks of b bytes. */
KP_API int kp_gather_start(kp_group *group, const void *out, void *in, size_t b, int root,
                           const kp_hints *hints, kp_request **request) KP_MUST_CHECK;
/* Starts kp_one_to_one: b bytes. */
KP_API int kp_one_to_one_start(kp_group *group, const void *out, void *in, size_t b, int root,
                               int to, const kp_hints *hints, kp_request **request) KP_MUST_CHECK;
/* Starts kp_reduce (MPI_Ireduce): `count` elements of `type`. */
KP_API int kp_reduce_start(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                           const kp_operator *op, int root, const kp_hints *hints,
                           kp_request **request) KP_MUST_CHECK;
/* Starts kp_allreduce (MPI_Iallreduce): `count` elements of `type`. */
KP_API int kp_allreduce_start(kp_group *group, const void *out, void *in, size_t count,
                              kp_type type, const kp_operator *op, const kp_hints *hints,
                              kp_request **request) KP_MUST_CHECK;
/* Starts kp_reduce_scatter (MPI_Ireduce_scatter_block): `count` elements for each member. */
KP_API int kp_reduce_scatter_start(kp_group *group, const void *out, void *in, size_t count,
                                   kp_type type, const kp_operator *op, const kp_hints *hints,
                                   kp_request **request) KP_MUST_CHECK;
/* Starts kp_scan (MPI_Iscan): `count` elements of `type`. */
KP_API int kp_scan_start(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                         const kp_operator *op, const kp_hints *hints,
                         kp_request **request) KP_MUST_CHECK;
/* Starts kp_scan_exclusive (MPI_Iexscan): `count` elements of `type`. */
KP_API int kp_scan_exclusive_start(kp_group *group, const void *out, void *in, size_t count,
                                   kp_type type, const kp_operator *op, const kp_hints *hints,
                                   kp_request **request) KP_MUST_CHECK;

/* The v forms (lengths.h). The arrays must stay unchanged until the request has ended. A request
 * whose lengths differ ends with KP_EMISMATCH at all members, and its lane is unusable.
 *
 * Starts kp_indexv (MPI_Ialltoallv): lengths and displacements in bytes. */
KP_API int kp_indexv_start(kp_group *group, const void *out, const size_t *out_counts,
                           const size_t *out_displacements, void *in, const size_t *in_counts,
                           const size_t *in_displacements, const kp_hints *hints,
                           kp_request **request) KP_MUST_CHECK;
/* Starts kp_concatv (MPI_Iallgatherv): lengths and displacements in bytes. */
KP_API int kp_concatv_start(kp_group *group, const void *out, size_t out_bytes, void *in,
                            const size_t *in_counts, const size_t *in_displacements,
                            const kp_hints *hints, kp_request **request) KP_MUST_CHECK;
/* Starts kp_scatterv (MPI_Iscatterv): lengths and displacements in bytes. */
KP_API int kp_scatterv_start(kp_group *group, const void *out, const size_t *out_counts,
                             const size_t *out_displacements, void *in, size_t in_bytes, int root,
                             const kp_hints *hints, kp_request **request) KP_MUST_CHECK;
/* Starts kp_gatherv (MPI_Igatherv): lengths and displacements in bytes. */
KP_API int kp_gatherv_start(kp_group *group, const void *out, size_t out_bytes, void *in,
                            const size_t *in_counts, const size_t *in_displacements, int root,
                            const kp_hints *hints, kp_request **request) KP_MUST_CHECK;

/* Starts kp_reduce_scatterv (MPI_Ireduce_scatter): counts[j] elements for member j. */
KP_API int kp_reduce_scatterv_start(kp_group *group, const void *out, void *in,
                                    const size_t *counts, kp_type type, const kp_operator *op,
                                    const kp_hints *hints, kp_request **request) KP_MUST_CHECK;

/* Starts the call with these arguments, of any operation; their units are those of kp_arguments
 * (persistent.h). Its layouts must not be freed until the request has ended. Errors: those of the
 * blocking call, and KP_EARGUMENT if a field is set that the operation does not have. */
KP_API int kp_call_start(kp_group *group, const kp_arguments *arguments,
                         kp_request **request) KP_MUST_CHECK;

/* Starts the plan's call (MPI_Start). Only the thread that made the plan may start it. The plan's
 * first four starts prepare the call once for each lane; later starts allocate nothing and look
 * nothing up. The plan must not be freed, nor its buffers be used, until the request has ended.
 * Errors: those of the blocking call. */
KP_API int kp_plan_start(kp_plan *plan, kp_request **request) KP_MUST_CHECK;

#ifndef KP_NO_CALL_SITES
#define kp_plan_start(...)       (kp_here(__FILE__, __LINE__), kp_plan_start(__VA_ARGS__))
#define kp_barrier_start(...)    (kp_here(__FILE__, __LINE__), kp_barrier_start(__VA_ARGS__))
#define kp_index_start(...)      (kp_here(__FILE__, __LINE__), kp_index_start(__VA_ARGS__))
#define kp_concat_start(...)     (kp_here(__FILE__, __LINE__), kp_concat_start(__VA_ARGS__))
#define kp_broadcast_start(...)  (kp_here(__FILE__, __LINE__), kp_broadcast_start(__VA_ARGS__))
#define kp_scatter_start(...)    (kp_here(__FILE__, __LINE__), kp_scatter_start(__VA_ARGS__))
#define kp_gather_start(...)     (kp_here(__FILE__, __LINE__), kp_gather_start(__VA_ARGS__))
#define kp_one_to_one_start(...) (kp_here(__FILE__, __LINE__), kp_one_to_one_start(__VA_ARGS__))
#define kp_reduce_start(...)     (kp_here(__FILE__, __LINE__), kp_reduce_start(__VA_ARGS__))
#define kp_allreduce_start(...)  (kp_here(__FILE__, __LINE__), kp_allreduce_start(__VA_ARGS__))
#define kp_reduce_scatter_start(...)                                                               \
    (kp_here(__FILE__, __LINE__), kp_reduce_scatter_start(__VA_ARGS__))
#define kp_scan_start(...) (kp_here(__FILE__, __LINE__), kp_scan_start(__VA_ARGS__))
#define kp_scan_exclusive_start(...)                                                               \
    (kp_here(__FILE__, __LINE__), kp_scan_exclusive_start(__VA_ARGS__))
#define kp_indexv_start(...)   (kp_here(__FILE__, __LINE__), kp_indexv_start(__VA_ARGS__))
#define kp_concatv_start(...)  (kp_here(__FILE__, __LINE__), kp_concatv_start(__VA_ARGS__))
#define kp_scatterv_start(...) (kp_here(__FILE__, __LINE__), kp_scatterv_start(__VA_ARGS__))
#define kp_gatherv_start(...)  (kp_here(__FILE__, __LINE__), kp_gatherv_start(__VA_ARGS__))
#define kp_reduce_scatterv_start(...)                                                              \
    (kp_here(__FILE__, __LINE__), kp_reduce_scatterv_start(__VA_ARGS__))
#define kp_call_start(...) (kp_here(__FILE__, __LINE__), kp_call_start(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
