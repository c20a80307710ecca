/* Makes the call of any operation from its arguments. Each operation has one case in the switch.
 * The program, the tests and the benchmark make their calls by this function, so they test and time
 * the functions that users call. */
#ifndef KPORT_TOOLS_OPERATION_CALL_H
#define KPORT_TOOLS_OPERATION_CALL_H

#include "kport.h"

/* Returns the status of the call, or KP_EPROBLEM if `a->operation` is no operation. */
static inline int operation_call(kp_group *group, const kp_arguments *a)
{
    switch (a->operation) {
    case KP_INDEX:
        return kp_index(group, a->out, a->in, a->b, a->hints);
    case KP_CONCAT:
        return kp_concat(group, a->out, a->in, a->b, a->hints);
    case KP_BROADCAST:
        return kp_broadcast(group, a->in, a->b, a->root, a->hints);
    case KP_SCATTER:
        return kp_scatter(group, a->out, a->in, a->b, a->root, a->hints);
    case KP_GATHER:
        return kp_gather(group, a->out, a->in, a->b, a->root, a->hints);
    case KP_INDEXV:
        return kp_indexv(group, a->out, a->out_counts, a->out_displacements, a->in, a->in_counts,
                         a->in_displacements, a->hints);
    case KP_CONCATV:
        return kp_concatv(group, a->out, a->out_bytes, a->in, a->in_counts, a->in_displacements,
                          a->hints);
    case KP_SCATTERV:
        return kp_scatterv(group, a->out, a->out_counts, a->out_displacements, a->in, a->in_bytes,
                           a->root, a->hints);
    case KP_GATHERV:
        return kp_gatherv(group, a->out, a->out_bytes, a->in, a->in_counts, a->in_displacements,
                          a->root, a->hints);
    case KP_REDUCE:
        return kp_reduce(group, a->out, a->in, a->count, a->type, a->op, a->root, a->hints);
    case KP_ALLREDUCE:
        return kp_allreduce(group, a->out, a->in, a->count, a->type, a->op, a->hints);
    case KP_REDUCE_SCATTER:
        return kp_reduce_scatter(group, a->out, a->in, a->count, a->type, a->op, a->hints);
    case KP_SCAN:
        return kp_scan(group, a->out, a->in, a->count, a->type, a->op, a->hints);
    case KP_SCAN_EXCLUSIVE:
        return kp_scan_exclusive(group, a->out, a->in, a->count, a->type, a->op, a->hints);
    case KP_ONE_TO_ONE:
        return kp_one_to_one(group, a->out, a->in, a->b, a->root, a->to, a->hints);
    case KP_REDUCE_SCATTERV:
        return kp_reduce_scatterv(group, a->out, a->in, a->out_counts, a->type, a->op, a->hints);
    case KP_BARRIER:
        return kp_barrier_scheduled(group, a->hints);
    case KP_OPERATIONS:
        break;
    }
    return KP_EPROBLEM;
}

#endif
