/* The public calls that move blocks. */
#include "kport/collective.h"

#include "lib/call.h"

int(kp_index)(kp_group *group, const void *out, void *in, size_t b, const kp_how *how)
{
    return kp_call(
        group, &(kp_arguments){.operation = KP_INDEX, .out = out, .in = in, .b = b, .how = how});
}

int(kp_concat)(kp_group *group, const void *out, void *in, size_t b, const kp_how *how)
{
    return kp_call(
        group, &(kp_arguments){.operation = KP_CONCAT, .out = out, .in = in, .b = b, .how = how});
}

int(kp_broadcast)(kp_group *group, void *data, size_t b, int root, const kp_how *how)
{
    return kp_call(
        group,
        &(kp_arguments){.operation = KP_BROADCAST, .in = data, .b = b, .root = root, .how = how});
}

int(kp_scatter)(kp_group *group, const void *out, void *in, size_t b, int root, const kp_how *how)
{
    return kp_call(
        group,
        &(kp_arguments){
            .operation = KP_SCATTER, .out = out, .in = in, .b = b, .root = root, .how = how});
}

int(kp_gather)(kp_group *group, const void *out, void *in, size_t b, int root, const kp_how *how)
{
    return kp_call(
        group, &(kp_arguments){
                   .operation = KP_GATHER, .out = out, .in = in, .b = b, .root = root, .how = how});
}

int(kp_one_to_one)(kp_group *group, const void *out, void *in, size_t b, int root, int to,
                   const kp_how *how)
{
    return kp_call(group, &(kp_arguments){.operation = KP_ONE_TO_ONE,
                                          .out = out,
                                          .in = in,
                                          .b = b,
                                          .root = root,
                                          .to = to,
                                          .how = how});
}
