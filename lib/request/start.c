/* The public functions that start collective calls. */
#include "kport/start.h"

#include "lib/call/call.h"
#include "lib/execute/cache.h"
#include "lib/problem/operation.h"
#include "lib/request/start.h"
#include "ports/member.h"

#include <stdio.h>

static void describe_none(const void *subject, char *text, size_t size)
{
    (void)subject;
    snprintf(text, size, "a call of no operation");
}

/* Stores NULL in `request`, and in `lane` the lane of the request that is about to be started. */
static int find_lane(kp_group *group, kp_request **request, struct kp_lane **lane)
{
    if (!request) {
        kp_port_error(group, KP_EARGUMENT, -1, -1, -1,
                      "request is NULL; it must be where the request goes");
        return kp_port_say_caller(group);
    }
    *request = NULL;
    *lane = kp_lane_next(group);
    return *lane ? KP_OK : kp_port_status(group);
}

static int start_on(struct kp_lane *lane, const kp_arguments *a, kp_plan *plan,
                    kp_request **request)
{
    return kp_operation_row(a->operation)->lengths ? kp_lengths_start(lane, a, request)
                                                   : kp_collective_start(lane, a, plan, request);
}

int kp_start_entered(kp_group *group, const kp_arguments *a, kp_plan *plan, kp_request **request)
{
    struct kp_lane *lane;
    if (!a && request) {
        *request = NULL;
        kp_port_error(group, KP_EARGUMENT, -1, -1, -1,
                      "arguments is NULL; it must be those of a call");
        return kp_port_say_caller(group);
    }
    int status = find_lane(group, request, &lane);
    if (status)
        return status;
    if ((unsigned)a->operation >= KP_OPERATIONS) {
        kp_port_error(group, KP_EARGUMENT, -1, -1, -1, "operation is %d; it may be 0 ... %d",
                      (int)a->operation, (int)KP_OPERATIONS - 1);
        return kp_lane_refuse(lane, describe_none, NULL);
    }
    return start_on(lane, a, plan, request);
}

int kp_call_start(kp_group *group, const kp_arguments *a, kp_request **request)
{
    int status = kp_member_enter(group);
    return status ? status : kp_member_leave(group, kp_start_entered(group, a, NULL, request));
}

/* Starts an index or a concatenation. A call that is repeated and short needs no other function
 * than this one and kp_meeting_start. */
static inline int start(kp_group *group, kp_operation operation, const void *out, void *in,
                        size_t b, const kp_hints *hints, kp_request **request)
{
    struct kp_lane *lane;
    int status = kp_member_enter(group);
    if (status)
        return status;
    status = find_lane(group, request, &lane);
    if (status)
        return kp_member_leave(group, status);
    struct kp_prepared *kept =
        hints || !KP_HAS(PLAIN_KEY) ? NULL : kp_cache_find_plain(lane->member, operation, b, 0);
    if (!kept || !kp_call_buffers_plain(kept, out, in) ||
        !(*request = kp_meeting_start(lane, out, in, NULL, kept, kp_kept_scratch(lane)))) {
        const kp_arguments a = {
            .operation = operation, .out = out, .in = in, .b = b, .hints = hints};
        status = start_on(lane, &a, NULL, request);
    }
    return kp_member_leave(group, status);
}

int kp_index_start(kp_group *group, const void *out, void *in, size_t b, const kp_hints *hints,
                   kp_request **request)
{
    return start(group, KP_INDEX, out, in, b, hints, request);
}

int kp_concat_start(kp_group *group, const void *out, void *in, size_t b, const kp_hints *hints,
                    kp_request **request)
{
    return start(group, KP_CONCAT, out, in, b, hints, request);
}

int kp_broadcast_start(kp_group *group, void *data, size_t b, int root, const kp_hints *hints,
                       kp_request **request)
{
    const kp_arguments a = {
        .operation = KP_BROADCAST, .in = data, .b = b, .root = root, .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_scatter_start(kp_group *group, const void *out, void *in, size_t b, int root,
                     const kp_hints *hints, kp_request **request)
{
    const kp_arguments a = {
        .operation = KP_SCATTER, .out = out, .in = in, .b = b, .root = root, .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_gather_start(kp_group *group, const void *out, void *in, size_t b, int root,
                    const kp_hints *hints, kp_request **request)
{
    const kp_arguments a = {
        .operation = KP_GATHER, .out = out, .in = in, .b = b, .root = root, .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_one_to_one_start(kp_group *group, const void *out, void *in, size_t b, int root, int to,
                        const kp_hints *hints, kp_request **request)
{
    const kp_arguments a = {.operation = KP_ONE_TO_ONE,
                            .out = out,
                            .in = in,
                            .b = b,
                            .root = root,
                            .to = to,
                            .hints = hints};
    return kp_call_start(group, &a, request);
}

/* --- Reductions --- */

static int combine(kp_group *group, kp_operation operation, const void *out, void *in, size_t count,
                   kp_type type, const kp_operator *op, int root, const kp_hints *hints,
                   kp_request **request)
{
    const kp_arguments a = {.operation = operation,
                            .out = out,
                            .in = in,
                            .count = count,
                            .type = type,
                            .op = op,
                            .root = root,
                            .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_reduce_start(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                    const kp_operator *op, int root, const kp_hints *hints, kp_request **request)
{
    return combine(group, KP_REDUCE, out, in, count, type, op, root, hints, request);
}

int kp_allreduce_start(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                       const kp_operator *op, const kp_hints *hints, kp_request **request)
{
    return combine(group, KP_ALLREDUCE, out, in, count, type, op, 0, hints, request);
}

int kp_reduce_scatter_start(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                            const kp_operator *op, const kp_hints *hints, kp_request **request)
{
    return combine(group, KP_REDUCE_SCATTER, out, in, count, type, op, 0, hints, request);
}

int kp_scan_start(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                  const kp_operator *op, const kp_hints *hints, kp_request **request)
{
    return combine(group, KP_SCAN, out, in, count, type, op, 0, hints, request);
}

int kp_scan_exclusive_start(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                            const kp_operator *op, const kp_hints *hints, kp_request **request)
{
    return combine(group, KP_SCAN_EXCLUSIVE, out, in, count, type, op, 0, hints, request);
}

/* --- Blocks with lengths of their own --- */

int kp_indexv_start(kp_group *group, const void *out, const size_t *out_counts,
                    const size_t *out_displacements, void *in, const size_t *in_counts,
                    const size_t *in_displacements, const kp_hints *hints, kp_request **request)
{
    const kp_arguments a = {.operation = KP_INDEXV,
                            .out = out,
                            .in = in,
                            .out_counts = out_counts,
                            .out_displacements = out_displacements,
                            .in_counts = in_counts,
                            .in_displacements = in_displacements,
                            .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_concatv_start(kp_group *group, const void *out, size_t out_bytes, void *in,
                     const size_t *in_counts, const size_t *in_displacements, const kp_hints *hints,
                     kp_request **request)
{
    const kp_arguments a = {.operation = KP_CONCATV,
                            .out = out,
                            .in = in,
                            .out_bytes = out_bytes,
                            .in_counts = in_counts,
                            .in_displacements = in_displacements,
                            .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_scatterv_start(kp_group *group, const void *out, const size_t *out_counts,
                      const size_t *out_displacements, void *in, size_t in_bytes, int root,
                      const kp_hints *hints, kp_request **request)
{
    const kp_arguments a = {.operation = KP_SCATTERV,
                            .out = out,
                            .in = in,
                            .out_counts = out_counts,
                            .out_displacements = out_displacements,
                            .in_bytes = in_bytes,
                            .root = root,
                            .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_gatherv_start(kp_group *group, const void *out, size_t out_bytes, void *in,
                     const size_t *in_counts, const size_t *in_displacements, int root,
                     const kp_hints *hints, kp_request **request)
{
    const kp_arguments a = {.operation = KP_GATHERV,
                            .out = out,
                            .in = in,
                            .out_bytes = out_bytes,
                            .in_counts = in_counts,
                            .in_displacements = in_displacements,
                            .root = root,
                            .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_reduce_scatterv_start(kp_group *group, const void *out, void *in, const size_t *counts,
                             kp_type type, const kp_operator *op, const kp_hints *hints,
                             kp_request **request)
{
    const kp_arguments a = {.operation = KP_REDUCE_SCATTERV,
                            .out = out,
                            .in = in,
                            .type = type,
                            .op = op,
                            .out_counts = counts,
                            .hints = hints};
    return kp_call_start(group, &a, request);
}
