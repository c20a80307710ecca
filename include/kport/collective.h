/* The collective operations.
 *
 * All members of the group make every call, in the same order. Each member uses its own handle,
 * from the thread that carries its processor. A call returns when this processor's part is done:
 * all data for this processor has arrived, and the caller may overwrite its outgoing buffer. Other
 * members may still be at work. A member sees everything that the senders of its blocks wrote
 * before their calls. The length b is in bytes, and n is the size of the group.
 *
 * After the following errors the group stays usable (with mailboxes it does not, see
 * kp_discipline). No member got data from another member, but a member may have copied its own
 * block into its incoming buffer.
 * - KP_EARGUMENT: an argument of this member is invalid. For example, it is NULL, two buffers
 *   overlap, a size overflows, or the root is outside the group. The other members get KP_EPEER.
 * - KP_EALGORITHM, KP_EUNSERVED, KP_EPROBLEM: `hints` names an unknown algorithm, an algorithm that
 *   does not serve n and k, or an invalid parameter value. The other members get KP_EPEER.
 * - KP_ESCHEDULE, KP_EUNCHECKED: the schedule of the user's own algorithm (kp_hints) is wrong, or
 *   too large to check. Members that ask for another algorithm get KP_EPEER.
 * - KP_EMEMORY: there is no memory for scratch, the schedule or its check. The other members get
 *   KP_EPEER.
 * - KP_EMISMATCH: members called different operations, or differ in b, root or algorithm. Every
 *   member gets this error. Its sentence names two calls that differ.
 *
 * Further errors:
 * - KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_ETIMEOUT: every member gets one of them. The group is
 *   unusable for the rest of the run.
 * - KP_EUNTAKEN: a receiver did not take a message of an earlier kp_exchange. The call that returns
 *   this error is itself complete. */
#ifndef KPORT_COLLECTIVE_H
#define KPORT_COLLECTIVE_H

#include "group.h"
#include "schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The algorithm for a call, and its parameters. If a call passes NULL, or if `algorithm` is NULL,
 * the library chooses the algorithm by the machine's profile or by the linear model (profile.h).
 * The library also chooses each parameter whose value is 0. A program sets the fields itself, or
 * calls kp_hints_parse. All members must pass the same hints. If one member names an algorithm and
 * another leaves it open, their algorithms may agree under one profile and differ (KP_EMISMATCH)
 * under another.
 *
 * `algorithm` may be the user's own (kp_algorithm in schedule.h). The struct must then stay
 * unchanged as long as the machine exists. Before the first execution one member checks the
 * schedule for the whole machine, as kp_schedule_check does. Later calls do not check it again. If
 * the schedule is wrong, every member that asks for this algorithm gets KP_ESCHEDULE with the
 * sentence of the check. This sentence counts ranks from the root, as `build` of kp_algorithm does.
 * kport also refuses the algorithm if its stated_cost differs from the cost of its schedule in this
 * call. A schedule for more than 1024 processors is checked only if all its buffers and scratch
 * together have at most 2^24 places. (A place holds a block, or a part of a block that is split.)
 * Otherwise the error is KP_EUNCHECKED. With `trusted` there is no check. A wrong schedule then has
 * undefined results, usually wrong data without an error.
 *
 * `flags` restrict the choice. With KP_HINT_SAME_ORDER the library chooses only among algorithms
 * that combine each element in the same order at all processors which get it (same_order in
 * kp_algorithm); `kport list` marks them. So all processors get the same bits, also where the
 * operator rounds. If `algorithm` lacks this property, the error is KP_EUNSERVED. In operations
 * that combine nothing the flag changes nothing. */
#define KP_HINT_SAME_ORDER 1
typedef struct kp_hints {
    const kp_algorithm *algorithm;
    /* The parameters, in the order in which the algorithm declares them. */
    long values[KP_PARAMETERS];
    int trusted; /* 1: kport does not check the schedule of the user's own algorithm. */
    int flags;   /* 0 or KP_HINT_SAME_ORDER */
} kp_hints;

typedef kp_hints kp_how; /* the former name */

/* Reads the algorithm and parameters of an operation from a text such as "radix,r=4", "circulant",
 * "same_order=1" or "". Error: KP_EALGORITHM, with a sentence that lists the valid words
 * (kp_last_error). Any thread may call this function. */
KP_API int kp_hints_parse(kp_operation operation, const char *text, kp_hints *hints) KP_MUST_CHECK;
KP_API int kp_how_parse(kp_operation operation, const char *text,
                        kp_how *how) KP_MUST_CHECK; /* the former name */

/* A caller that passes KP_IN_PLACE as `out` has put its outgoing data into `in`. For concatenation
 * and gather, this caller's block lies at in + rank * b. If the root of a scatter passes
 * KP_IN_PLACE as `in`, its own block stays in `out`. */
#define KP_IN_PLACE ((void *)-1)

/* Index (MPI_Alltoall). Block j of processor i's `out` becomes block i of processor j's `in`. `out`
 * and `in` hold n blocks of b bytes each and do not overlap, unless `out` is KP_IN_PLACE. If
 * `hints` is NULL, kport chooses the algorithm. Algorithms: `kport list`; Bruck et al. 1997,
 * section 3. */
KP_API int kp_index(kp_group *group, const void *out, void *in, size_t b,
                    const kp_hints *hints) KP_MUST_CHECK;

/* Concatenation (MPI_Allgather). Processor i's block `out` becomes block i of every processor's
 * `in`. `out` holds b bytes, and `in` holds n blocks of b bytes. `out` and `in` do not overlap,
 * unless `out` is KP_IN_PLACE. If `hints` is NULL, kport chooses the algorithm. Algorithms: `kport
 * list`; Bruck et al. 1997, section 4. */
KP_API int kp_concat(kp_group *group, const void *out, void *in, size_t b,
                     const kp_hints *hints) KP_MUST_CHECK;

/* Broadcast (MPI_Bcast). The root's b bytes at `data` are copied to `data` of every other member.
 * Algorithms: `kport list`; Bruck et al. 1997, section 4. */
KP_API int kp_broadcast(kp_group *group, void *data, size_t b, int root,
                        const kp_hints *hints) KP_MUST_CHECK;

/* Scatter (MPI_Scatter). Block j of the root's `out` becomes processor j's `in`. `out` holds n
 * blocks of b bytes. kport ignores `out` at all other members. Algorithms: `kport list`. */
KP_API int kp_scatter(kp_group *group, const void *out, void *in, size_t b, int root,
                      const kp_hints *hints) KP_MUST_CHECK;

/* Gather (MPI_Gather). Processor i's block `out` becomes block i of the root's `in`. `in` holds n
 * blocks of b bytes. kport ignores `in` at all other members. Algorithms: `kport list`. */
KP_API int kp_gather(kp_group *group, const void *out, void *in, size_t b, int root,
                     const kp_hints *hints) KP_MUST_CHECK;

/* One to one. The root's b bytes at `out` are copied to `in` of processor `to`, which may be the
 * root. kport reads `out` only at the root, and writes `in` only at `to`. All members take part,
 * because others may pass the data on. Algorithms: `kport list`; Saad and Schultz 1985, section 3.
 */
KP_API int kp_one_to_one(kp_group *group, const void *out, void *in, size_t b, int root, int to,
                         const kp_hints *hints) KP_MUST_CHECK;

/* Barrier (MPI_Barrier). Returns when all members have called it. Each member then sees everything
 * that the other members wrote before their calls. A barrier sends no message and adds nothing to
 * C1 and C2. Errors: KP_EMISMATCH, KP_EPEER, and the errors after which the group is unusable. */
KP_API int kp_barrier(kp_group *group) KP_MUST_CHECK;

/* A barrier that is carried out by a schedule, like the collectives: in each round a member sends
 * messages without bytes to up to k others, and C1 counts the rounds. Algorithms: `kport list`. It
 * is for those who study schedules. Among threads and fibers kp_barrier takes less time. */
KP_API int kp_barrier_scheduled(kp_group *group, const kp_hints *hints) KP_MUST_CHECK;

/* One round on one port (send_and_recv in the papers, MPI_Sendrecv). In contrast to MPI, all
 * members take part. This member sends `out_bytes` bytes to rank `to` and receives `in_bytes` bytes
 * from rank `from`. `to` = -1 means no receiver, and `from` = -1 means no sender. At most one
 * member may send to a given member. If `to` and `from` are both this member's rank, the call
 * copies `out` to `in`. If only one of the two is this member's rank, the call returns an error.
 * `out` and `in` do not overlap. The round counts in C1 and C2 as a round of kp_exchange. Errors
 * are those of kp_exchange: KP_EARGUMENT; KP_EMISSING if `from` sent this member nothing;
 * KP_ELENGTH; at the next call KP_EUNTAKEN if `to` did not receive the message. */
KP_API int kp_send_recv(kp_group *group, const void *out, size_t out_bytes, int to, void *in,
                        size_t in_bytes, int from) KP_MUST_CHECK;

#ifndef KP_NO_CALL_SITES
#define kp_barrier(...)           (kp_here(__FILE__, __LINE__), kp_barrier(__VA_ARGS__))
#define kp_barrier_scheduled(...) (kp_here(__FILE__, __LINE__), kp_barrier_scheduled(__VA_ARGS__))
#define kp_send_recv(...)         (kp_here(__FILE__, __LINE__), kp_send_recv(__VA_ARGS__))
#define kp_broadcast(...)         (kp_here(__FILE__, __LINE__), kp_broadcast(__VA_ARGS__))
#define kp_scatter(...)           (kp_here(__FILE__, __LINE__), kp_scatter(__VA_ARGS__))
#define kp_gather(...)            (kp_here(__FILE__, __LINE__), kp_gather(__VA_ARGS__))
#define kp_one_to_one(...)        (kp_here(__FILE__, __LINE__), kp_one_to_one(__VA_ARGS__))
#define kp_index(...)             (kp_here(__FILE__, __LINE__), kp_index(__VA_ARGS__))
#define kp_concat(...)            (kp_here(__FILE__, __LINE__), kp_concat(__VA_ARGS__))
#endif

/* MPI's names for these calls. */
#define kp_alltoall(...)  (KP_HERE_BY_MPI_NAME, (kp_index)(__VA_ARGS__))
#define kp_allgather(...) (KP_HERE_BY_MPI_NAME, (kp_concat)(__VA_ARGS__))
#define kp_bcast(...)     (KP_HERE_BY_MPI_NAME, (kp_broadcast)(__VA_ARGS__))

#ifdef __cplusplus
}
#endif

#endif
