/* A group is any list of processors, in any order. The processors in the list are its members. A
 * processor may be in many groups. Groups without a common member do not wait for each other.
 *
 * Source: Bruck et al. 1997, Appendix A, whose operations take an array A of processor numbers. A
 * thread may use only the handles of the processor that it carries. With any other handle, a
 * function of this header returns an error: -1 if it returns a number, NULL if it returns a
 * pointer, else a status. */
#ifndef KPORT_GROUP_H
#define KPORT_GROUP_H

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stores this processor's handle of the group that consists of `count` processors in the order of
 * the list. The list must contain this processor. Each member makes this call with the same list,
 * at any time. The call waits for no other member, except with KP_CARRIER_MPI: there the members
 * agree on a number for their messages, so the call waits for all members, and members of several
 * groups make these groups in one common order. The same list gives the same group as long as
 * any member holds a handle of this group. A handle that is not freed ends when the machine is
 * reset. This happens at the machine's next run, or when the last attached thread has detached. If
 * groups overlap, their members must make the calls of all these groups in one common order.
 * Otherwise the members deadlock, and kport reports KP_EDEADLOCK. Errors: KP_EMEMORY, also
 * if the network's tags leave no number for the group; KP_EARGUMENT if a number is out of range or
 * listed twice, or if the caller is not in the list. */
KP_API int kp_group_create(kp_proc *self, const int *processors, int count,
                           kp_group **group) KP_MUST_CHECK;

/* Stores this processor's handle of a new group with the same members and ranks as `group`. (With
 * the same list kp_group_create returns the same group again.) The copy has its own calls and
 * messages, so a library can use it beside its caller's group. Each member makes this call, at any
 * time; a member's first call for `group` gives it a handle of the first copy, its second call one
 * of the second copy, and so on. As with kp_group_create, the call waits for no other member except
 * with KP_CARRIER_MPI, and kp_group_free frees the handle. Errors: KP_EARGUMENT, KP_EMEMORY, and
 * KP_EFAILED or another status if the group is unusable. */
KP_API int kp_group_dup(kp_group *group, kp_group **copy) KP_MUST_CHECK;

/* Frees the handle, which may be NULL. Errors: KP_EARGUMENT for the world's handle, because the
 * machine owns it; KP_EWRONGTHREAD; KP_EENDED; KP_EFAILED if a call of this processor is
 * unfinished. */
KP_API int kp_group_free(kp_group *group);

/* `kp_rank` returns this processor's rank in the group. `kp_size` returns the number of members.
 * `kp_ports` returns the number of ports that collectives of the group use: max(1, min(k, size -
 * 1)). kp_exchange may use all k ports. */
KP_API int kp_rank(const kp_group *group);
KP_API int kp_size(const kp_group *group);
KP_API int kp_ports(const kp_group *group);

/* Returns the number in the machine (kp_processor) of the member with this rank. Returns -1 if
 * there is no such rank. */
KP_API int kp_group_processor(const kp_group *group, int rank);

/* Returns the processor that holds this handle. */
KP_API kp_proc *kp_group_self(const kp_group *group);

#ifndef KP_NO_CALL_SITES
#define kp_group_create(...) (kp_here(__FILE__, __LINE__), kp_group_create(__VA_ARGS__))
#define kp_group_dup(...)    (kp_here(__FILE__, __LINE__), kp_group_dup(__VA_ARGS__))
#define kp_group_free(...)   (kp_here(__FILE__, __LINE__), kp_group_free(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
