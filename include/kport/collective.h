/* The collective operations.
 *
 * Every call is made by all members of the group, each through its own handle, from the thread that
 * carries the processor, in the same order on every member. A call returns when this processor's
 * part is done: its incoming data is complete and its outgoing buffer may be written again; other
 * members may still be at work. What a member wrote before its call is seen by those who receive
 * its blocks.
 *
 * Errors:
 *   KP_EARGUMENT   own arguments cannot be (null, overlap, overflow, root); the others return
 *                  KP_EPEER
 *   KP_EALGORITHM, KP_EUNSERVED, KP_EPROBLEM  the `how` names what is not there, does not serve n
 *                  and k, or gives a parameter a value that cannot be; the others return KP_EPEER
 *   KP_ESCHEDULE, KP_EUNCHECKED  an algorithm of one's own (kp_how) has a wrong schedule, or one
 *                  that is too large to be checked; members that ask for another algorithm return
 *                  KP_EPEER
 *   KP_EMEMORY     no memory for scratch, the schedule or its check; the others return KP_EPEER
 *   KP_EMISMATCH   on every member: they called different operations, or with another b, root or
 *                  algorithm; the sentence names both sides
 *     After these the group works on. No member got anything from another; where its own block goes
 *     to its incoming buffer, that may have been done.
 *   KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_ETIMEOUT  on every member: the group is dead for this
 *                  run
 *   KP_EUNTAKEN    a message of an earlier kp_exchange was not taken; this operation was done */
#ifndef KPORT_COLLECTIVE_H
#define KPORT_COLLECTIVE_H

#include "group.h"
#include "schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which algorithm, with which parameters. NULL in a call, or algorithm NULL: the library chooses by
 * its profile or the linear model (profile.h). Made by hand or by kp_how_parse; a value of 0 is
 * left to the library. Zero is the default, here too. All members give the same: what one names and
 * another leaves open may be the same by one profile, and KP_EMISMATCH by another.
 *
 * The algorithm may be a row of one's own (schedule.h), which then stays as it is as long as the
 * machine. Its schedule is checked before it is executed first, as kp_schedule_check does: by one
 * member for all of the machine, and no more in later calls. What is wrong is refused on every
 * member that asks for it, with KP_ESCHEDULE and the sentence of the check, whose ranks are those
 * that `build` is given, counted from the root. A stated_cost that is not what the schedule costs,
 * in this call, is refused too. Schedules for more than 1024 processors are checked only if the
 * places of all their buffers and scratch are 2^24 or fewer; a place is a block, or each part of it
 * where blocks are split. Others are refused with KP_EUNCHECKED. With `trusted` nothing is checked,
 * and what a wrong schedule does is undefined: as a rule it brings wrong data and no error. */
typedef struct kp_how {
    const kp_algorithm *algorithm;
    long values[KP_PARAMETERS]; /* in the order in which the algorithm declares them */
    int trusted;                /* 1: the schedule of a row of one's own is not checked */
} kp_how;

/* Reads "radix,r=4" or "circulant" or "" for an operation. Errors: KP_EALGORITHM, which names what
 * there is (kp_last_error). Any thread. */
KP_API int kp_how_parse(kp_operation operation, const char *text, kp_how *how) KP_MUST_CHECK;

/* As `out`: the data lies in `in` already; concatenation and gather find the own block at
 * in + rank * b. As `in` of a scatter's root: its own block stays in `out`. */
#define KP_IN_PLACE ((void *)-1)

/* Index (MPI_Alltoall): block j of processor i's `out` becomes block i of processor j's `in`.
 * `out` and `in` hold n blocks of b bytes each and do not overlap.
 * Algorithms: `kport list`; Bruck et al. 1997, section 3. */
KP_API int kp_index(kp_group *group, const void *out, void *in, size_t b,
                    const kp_how *how) KP_MUST_CHECK;

/* Concatenation (MPI_Allgather): processor i's block `out` becomes block i of every processor's
 * `in`. `out` holds b bytes, `in` n blocks of b bytes; they do not overlap.
 * Algorithms: `kport list`; Bruck et al. 1997, section 4. */
KP_API int kp_concat(kp_group *group, const void *out, void *in, size_t b,
                     const kp_how *how) KP_MUST_CHECK;

/* Broadcast (MPI_Bcast): the b bytes at `data` of the processor with rank `root` become those of
 * all. Algorithms: `kport list`; Bruck et al. 1997, section 4. */
KP_API int kp_broadcast(kp_group *group, void *data, size_t b, int root,
                        const kp_how *how) KP_MUST_CHECK;

/* Scatter (MPI_Scatter): block j of the root's `out` becomes processor j's `in`. `out` holds n
 * blocks of b bytes and counts only at the root. */
KP_API int kp_scatter(kp_group *group, const void *out, void *in, size_t b, int root,
                      const kp_how *how) KP_MUST_CHECK;

/* Gather (MPI_Gather): processor i's block `out` becomes block i of the root's `in`, which holds n
 * blocks of b bytes and counts only at the root. */
KP_API int kp_gather(kp_group *group, const void *out, void *in, size_t b, int root,
                     const kp_how *how) KP_MUST_CHECK;

/* One to one: the b bytes of the root's `out` become `in` of processor `to`. `out` counts only at
 * the root, `in` only at `to`; the others may carry data on its way. `to` may be the root. All
 * members of the group take part. Algorithms: `kport list`; Saad and Schultz 1985, section 3. */
KP_API int kp_one_to_one(kp_group *group, const void *out, void *in, size_t b, int root, int to,
                         const kp_how *how) KP_MUST_CHECK;

/* Barrier (MPI_Barrier): returns when all members have called it. What they wrote before is seen by
 * all afterwards. It moves nothing, and counts nothing in C1 and C2. Errors: KP_EMISMATCH, and
 * those after which the group is dead. */
KP_API int kp_barrier(kp_group *group) KP_MUST_CHECK;

/* One round on one port (the papers' send_and_recv, MPI_Sendrecv, but all members take part): sends
 * `out_bytes` bytes to rank `to` and receives `in_bytes` from rank `from`; -1 where there is
 * nobody. Nobody may be sent two messages. Both oneself is a copy; one of them is not allowed.
 * `out` and `in` do not overlap. Counts as a round of kp_exchange, and has its errors:
 * KP_EARGUMENT, KP_EMISSING (`from` sent nothing here), KP_ELENGTH, KP_EUNTAKEN (at the next call:
 * what was sent was not received). */
KP_API int kp_send_recv(kp_group *group, const void *out, size_t out_bytes, int to, void *in,
                        size_t in_bytes, int from) KP_MUST_CHECK;

#ifndef KP_NO_CALL_SITES
#define kp_barrier(...)    (kp_here(__FILE__, __LINE__), kp_barrier(__VA_ARGS__))
#define kp_send_recv(...)  (kp_here(__FILE__, __LINE__), kp_send_recv(__VA_ARGS__))
#define kp_broadcast(...)  (kp_here(__FILE__, __LINE__), kp_broadcast(__VA_ARGS__))
#define kp_scatter(...)    (kp_here(__FILE__, __LINE__), kp_scatter(__VA_ARGS__))
#define kp_gather(...)     (kp_here(__FILE__, __LINE__), kp_gather(__VA_ARGS__))
#define kp_one_to_one(...) (kp_here(__FILE__, __LINE__), kp_one_to_one(__VA_ARGS__))
#define kp_index(...)      (kp_here(__FILE__, __LINE__), kp_index(__VA_ARGS__))
#define kp_concat(...)     (kp_here(__FILE__, __LINE__), kp_concat(__VA_ARGS__))
#endif

/* The names MPI gives them. */
#define kp_alltoall(...)  kp_index(__VA_ARGS__)
#define kp_allgather(...) kp_concat(__VA_ARGS__)
#define kp_bcast(...)     kp_broadcast(__VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
