/* Groups: a group is any list of processors, in any order. A processor may be in many groups;
 * disjoint groups work at the same time.
 *
 * Source: Bruck et al. 1997, Appendix A, whose operations take an array A of processor numbers. A
 * thread may use only handles of the processor that it carries. With another handle a function
 * below that returns a number returns -1, and the others NULL or a status. */
#ifndef KPORT_GROUP_H
#define KPORT_GROUP_H

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stores this processor's handle of the group of `count` processors in that order; the processor
 * must be in the list. Each member calls it with the same list when it likes; no call waits for
 * another member. The same list gives the same group as long as any member holds a handle. Handles
 * that are not freed end when the machine is reset: at its next run, or when the last attached
 * thread has detached. If groups overlap, their members must make calls to them in one common
 * order; otherwise they deadlock, and kport reports KP_EDEADLOCK. Errors: KP_EARGUMENT (a number
 * out of range or listed twice, or the caller is not in the list), KP_EMEMORY. */
KP_API int kp_group_create(kp_proc *self, const int *processors, int count,
                           kp_group **group) KP_MUST_CHECK;

/* Frees the handle. NULL is allowed. Errors: KP_EARGUMENT for the world, which the machine owns;
 * KP_EWRONGTHREAD, KP_EENDED, and KP_EFAILED while a call of this processor is unfinished. */
KP_API int kp_group_free(kp_group *group);

/* `kp_rank` returns this processor's rank in the group, `kp_size` the number of members, and
 * `kp_ports` the ports that collectives of the group use: max(1, min(k, size - 1)). kp_exchange may
 * use all k. */
KP_API int kp_rank(const kp_group *group);
KP_API int kp_size(const kp_group *group);
KP_API int kp_ports(const kp_group *group);

/* Returns the machine number of the member with that rank; -1 if there is no such rank. */
KP_API int kp_group_processor(const kp_group *group, int rank);

/* Returns the processor that holds this handle. */
KP_API kp_proc *kp_group_self(const kp_group *group);

#ifdef __cplusplus
}
#endif

#endif
