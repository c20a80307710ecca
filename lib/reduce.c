/* The public calls that combine. */
#include "kport/reduce.h"

#include "lib/call.h"

int(kp_reduce)(kp_group *group, const void *out, void *in, size_t count, kp_type type,
               const kp_operator *op, int root, const kp_how *how)
{
    return kp_call(group, &(kp_arguments){.operation = KP_REDUCE,
                                          .out = out,
                                          .in = in,
                                          .count = count,
                                          .type = type,
                                          .op = op,
                                          .root = root,
                                          .how = how});
}

/* Those without a root differ in nothing but the operation. */
static int reduction(kp_group *group, kp_operation operation, const void *out, void *in,
                     size_t count, kp_type type, const kp_operator *op, const kp_how *how)
{
    return kp_call(group, &(kp_arguments){.operation = operation,
                                          .out = out,
                                          .in = in,
                                          .count = count,
                                          .type = type,
                                          .op = op,
                                          .how = how});
}

int(kp_allreduce)(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                  const kp_operator *op, const kp_how *how)
{
    return reduction(group, KP_ALLREDUCE, out, in, count, type, op, how);
}

int(kp_reduce_scatter)(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                       const kp_operator *op, const kp_how *how)
{
    return reduction(group, KP_REDUCE_SCATTER, out, in, count, type, op, how);
}

int(kp_scan)(kp_group *group, const void *out, void *in, size_t count, kp_type type,
             const kp_operator *op, const kp_how *how)
{
    return reduction(group, KP_SCAN, out, in, count, type, op, how);
}

int(kp_scan_exclusive)(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                       const kp_operator *op, const kp_how *how)
{
    return reduction(group, KP_SCAN_EXCLUSIVE, out, in, count, type, op, how);
}
