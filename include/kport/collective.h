/* The collective operations.
 *
 * All members of the group make every call, in the same order. Each uses its own handle, from the
 * thread that carries the processor. A call returns when this processor's part is done: its
 * incoming data is complete and its outgoing buffer may be overwritten. Other members may still be
 * at work. A member sees all that the senders of its blocks wrote before their calls. b is in
 * bytes. n is the size of the group.
 *
 * Errors. After those of the first list the group stays usable: no member got data from another,
 * but a member may have copied its own block into its incoming buffer.
 *   KP_EARGUMENT   an own argument is invalid (NULL, overlap, overflow, root); the others return
 *                  KP_EPEER
 *   KP_EALGORITHM, KP_EUNSERVED, KP_EPROBLEM  `hints` names an unknown algorithm, one that does not
 *                  serve n and k, or an invalid parameter value; the others return KP_EPEER
 *   KP_ESCHEDULE, KP_EUNCHECKED  the schedule of the user's own algorithm (kp_hints) is wrong, or
 * too large to check; members that ask for another algorithm return KP_EPEER KP_EMEMORY     no
 * memory for scratch, the schedule or its check; the others return KP_EPEER KP_EMISMATCH   every
 * member returns it: members called different operations, or differ in b, root or algorithm; the
 * sentence names both sides Further errors: KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_ETIMEOUT  every
 * member returns one; the group is unusable for the rest of the run KP_EUNTAKEN    no receiver took
 * a message of an earlier kp_exchange; this operation is complete
 */
#ifndef KPORT_COLLECTIVE_H
#define KPORT_COLLECTIVE_H

#include "group.h"
#include "schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The choice of an algorithm and its parameters. If a call has NULL, or `algorithm` is NULL, the
 * library chooses by its profile or the linear model (profile.h); it also chooses each parameter
 * whose value is 0. Fill in a kp_hints by hand or by kp_hints_parse. All members must give the
 * same: if one names what another leaves open, they may agree under one profile and get
 * KP_EMISMATCH under another.
 *
 * `algorithm` may be the user's own row (schedule.h). The row must then stay unchanged as long as
 * the machine exists. Before the first execution one member checks the schedule for the whole
 * machine, as kp_schedule_check does; later calls do not check it again. If it is wrong, every
 * member that asks for it gets KP_ESCHEDULE with the sentence of the check. Ranks in the sentence
 * are those that `build` sees, counted from the root. kport also refuses a row whose stated_cost
 * differs from the cost of the schedule in this call. A schedule for more than 1024 processors is
 * checked only if all its buffers and scratch have at most 2^24 places (a place is a block, or each
 * part of a block that is split); otherwise the error is KP_EUNCHECKED. With `trusted` there is no
 * check, and a wrong schedule has undefined results: usually wrong data and no error. */
typedef struct kp_hints {
    const kp_algorithm *algorithm;
    long values[KP_PARAMETERS]; /* the parameters in the order in which the algorithm declares them
                                 */
    int trusted;                /* 1: the schedule of the user's own row is not checked */
} kp_hints;

/* Earlier names. */
typedef kp_hints kp_how;
#define kp_how_parse kp_hints_parse

/* Reads the algorithm and parameters of an operation from text: "radix,r=4", "circulant", or "".
 * Error: KP_EALGORITHM; its sentence lists the valid words (kp_last_error). Any thread may call it.
 */
KP_API int kp_hints_parse(kp_operation operation, const char *text, kp_hints *hints) KP_MUST_CHECK;

/* Passed as `out`: the outgoing data already lies in `in`; for concatenation and gather the own
 * block lies at in + rank * b. Passed as `in` by a scatter's root: its own block stays in `out`. */
#define KP_IN_PLACE ((void *)-1)

/* Index (MPI_Alltoall): block j of processor i's `out` becomes block i of processor j's `in`. `out`
 * and `in` hold n blocks of b bytes each and do not overlap.
 * Algorithms: `kport list`; Bruck et al. 1997, section 3. */
KP_API int kp_index(kp_group *group, const void *out, void *in, size_t b,
                    const kp_hints *hints) KP_MUST_CHECK;

/* Concatenation (MPI_Allgather): processor i's block `out` becomes block i of every processor's
 * `in`. `out` holds b bytes, and `in` n blocks of b bytes. They do not overlap.
 * Algorithms: `kport list`; Bruck et al. 1997, section 4. */
KP_API int kp_concat(kp_group *group, const void *out, void *in, size_t b,
                     const kp_hints *hints) KP_MUST_CHECK;

/* Broadcast (MPI_Bcast): the root's b bytes at `data` become the b bytes at every member's `data`.
 * Algorithms: `kport list`; Bruck et al. 1997, section 4. */
KP_API int kp_broadcast(kp_group *group, void *data, size_t b, int root,
                        const kp_hints *hints) KP_MUST_CHECK;

/* Scatter (MPI_Scatter): block j of the root's `out` becomes processor j's `in`. `out` holds n
 * blocks of b bytes; kport ignores it elsewhere than at the root. Algorithms: `kport list`. */
KP_API int kp_scatter(kp_group *group, const void *out, void *in, size_t b, int root,
                      const kp_hints *hints) KP_MUST_CHECK;

/* Gather (MPI_Gather): processor i's block `out` becomes block i of the root's `in`. `in` holds n
 * blocks of b bytes; kport ignores it elsewhere than at the root. Algorithms: `kport list`. */
KP_API int kp_gather(kp_group *group, const void *out, void *in, size_t b, int root,
                     const kp_hints *hints) KP_MUST_CHECK;

/* One to one: the root's b bytes at `out` become the b bytes at `in` of processor `to`, which may
 * be the root. kport reads `out` only at the root and writes `in` only at `to`. All members take
 * part, as others may pass the data on. Algorithms: `kport list`; Saad and Schultz 1985, section 3.
 */
KP_API int kp_one_to_one(kp_group *group, const void *out, void *in, size_t b, int root, int to,
                         const kp_hints *hints) KP_MUST_CHECK;

/* Barrier (MPI_Barrier): returns when all members have called it; each then sees all that the
 * others wrote before their calls. It sends no message and adds nothing to C1 and C2. Errors:
 * KP_EMISMATCH, KP_EPEER, and those after which the group is unusable. */
KP_API int kp_barrier(kp_group *group) KP_MUST_CHECK;

/* One round on one port (send_and_recv in the papers; MPI_Sendrecv, but all members take part):
 * sends `out_bytes` bytes to rank `to` and receives `in_bytes` bytes from rank `from`; -1 stands
 * for no peer. At most one member may send to a given member. If both `to` and `from` are the own
 * rank, the call copies; if only one is, it is an error. `out` and `in` do not overlap. The round
 * counts in C1 and C2 as a round of kp_exchange. Errors are those of kp_exchange: KP_EARGUMENT,
 * KP_EMISSING (`from` sent this member nothing), KP_ELENGTH, and at the next call KP_EUNTAKEN (`to`
 * did not receive the message). */
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

/* MPI's names for these calls. */
#define kp_alltoall(...)  kp_index(__VA_ARGS__)
#define kp_allgather(...) kp_concat(__VA_ARGS__)
#define kp_bcast(...)     kp_broadcast(__VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
