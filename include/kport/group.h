/* Groups: any subset of the processors, in any order. A processor may be in many groups; disjoint
 * groups work at the same time.
 *
 * Bruck et al. 1997, Appendix A: the array A of processor ids that both operations take. */
#ifndef KPORT_GROUP_H
#define KPORT_GROUP_H

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes this processor's handle of the group of `count` processors, in that order; it must be one
 * of them. Every member that wants to take part calls it with the same list; nobody waits for the
 * others. The same list gives the same group for as long as anybody holds a handle. Handles that
 * were not given back end when the machine is made new: with its next run, or when the last
 * attached thread has detached. Calls to groups that overlap must be made in an order that is the
 * same everywhere; otherwise they deadlock, which is reported as such. Errors: KP_EARGUMENT (a
 * number out of range, twice, or oneself missing), KP_EMEMORY. */
KP_API int kp_group_create(kp_proc *self, const int *processors, int count,
                           kp_group **group) KP_MUST_CHECK;

/* Gives the handle back. The world cannot be freed (KP_EARGUMENT). NULL is allowed. */
KP_API int kp_group_free(kp_group *group);

/* This processor's rank in the group, the group's size, its ports: min(k, size - 1), at least 1. So
 * many its collectives use; kp_exchange may use all k. */
KP_API int kp_rank(const kp_group *group);
KP_API int kp_size(const kp_group *group);
KP_API int kp_ports(const kp_group *group);

/* Number in the machine of the member with that rank; -1 if there is none. */
KP_API int kp_group_processor(const kp_group *group, int rank);

/* The processor whose handle this is. */
KP_API kp_proc *kp_group_self(const kp_group *group);

#ifdef __cplusplus
}
#endif

#endif
