/* The public calls that move blocks of one length, and the public reductions. */
#include "kport/collective.h"
#include "kport/reduce.h"

#include "lib/call/call.h"
#include "lib/execute/cache.h"
#include "ports/member.h"

/* A repeated call needs only this function. The one buffer of a broadcast is both `out` and
 * `in`. */
static inline int call(kp_group *group, kp_operation operation, const void *out, void *in, size_t b,
                       int root, const kp_hints *hints)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    const void *sent = operation == KP_BROADCAST ? NULL : out;
    struct kp_prepared *kept =
        hints || !KP_HAS(PLAIN_KEY) ? NULL : kp_cache_find_plain(group, operation, b, root);
    if (kept && kp_call_buffers_plain(kept, sent, in)) {
        const struct kp_cache *cache = kp_member_attachment(group);
        status = kp_execute(group, kept, out, in, cache->scratch);
    } else {
        const kp_arguments a = {
            .operation = operation, .out = sent, .in = in, .b = b, .root = root, .hints = hints};
        status = kp_call_entered(group, &a);
    }
    return kp_member_leave(group, status);
}

int kp_index(kp_group *group, const void *out, void *in, size_t b, const kp_hints *hints)
{
    return call(group, KP_INDEX, out, in, b, 0, hints);
}

int kp_concat(kp_group *group, const void *out, void *in, size_t b, const kp_hints *hints)
{
    return call(group, KP_CONCAT, out, in, b, 0, hints);
}

int kp_broadcast(kp_group *group, void *data, size_t b, int root, const kp_hints *hints)
{
    return call(group, KP_BROADCAST, data, data, b, root, hints);
}

int kp_scatter(kp_group *group, const void *out, void *in, size_t b, int root,
               const kp_hints *hints)
{
    return call(group, KP_SCATTER, out, in, b, root, hints);
}

int kp_gather(kp_group *group, const void *out, void *in, size_t b, int root, const kp_hints *hints)
{
    return call(group, KP_GATHER, out, in, b, root, hints);
}

int kp_one_to_one(kp_group *group, const void *out, void *in, size_t b, int root, int to,
                  const kp_hints *hints)
{
    const kp_arguments a = {.operation = KP_ONE_TO_ONE,
                            .out = out,
                            .in = in,
                            .b = b,
                            .root = root,
                            .to = to,
                            .hints = hints};
    return kp_call(group, &a);
}

int kp_barrier_scheduled(kp_group *group, const kp_hints *hints)
{
    return call(group, KP_BARRIER, NULL, NULL, 0, 0, hints);
}

/* --- Reductions --- */

/* A repeated call puts no arguments together. */
static inline int combine(kp_group *group, kp_operation operation, const void *out, void *in,
                          size_t count, kp_type type, const kp_operator *op, int root,
                          const kp_hints *hints)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    struct kp_prepared *kept =
        hints || !op || !KP_HAS(PLAIN_KEY)
            ? NULL
            : kp_cache_find_reduction(group, operation, count, type, op, root);
    if (kept && (((uintptr_t)out | (uintptr_t)in) & kept->misaligned) == 0 &&
        kp_call_buffers_plain(kept, out, in)) {
        const struct kp_cache *cache = kp_member_attachment(group);
        status = kp_call_carry_out(group, kept, out, in, cache->scratch, false);
    } else {
        const kp_arguments a = {.operation = operation,
                                .out = out,
                                .in = in,
                                .count = count,
                                .type = type,
                                .op = op,
                                .root = root,
                                .hints = hints};
        status = kp_call_entered(group, &a);
    }
    return kp_member_leave(group, status);
}

int kp_reduce(kp_group *group, const void *out, void *in, size_t count, kp_type type,
              const kp_operator *op, int root, const kp_hints *hints)
{
    return combine(group, KP_REDUCE, out, in, count, type, op, root, hints);
}

int kp_allreduce(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                 const kp_operator *op, const kp_hints *hints)
{
    return combine(group, KP_ALLREDUCE, out, in, count, type, op, 0, hints);
}

int kp_reduce_scatter(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                      const kp_operator *op, const kp_hints *hints)
{
    return combine(group, KP_REDUCE_SCATTER, out, in, count, type, op, 0, hints);
}

int kp_scan(kp_group *group, const void *out, void *in, size_t count, kp_type type,
            const kp_operator *op, const kp_hints *hints)
{
    return combine(group, KP_SCAN, out, in, count, type, op, 0, hints);
}

int kp_scan_exclusive(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                      const kp_operator *op, const kp_hints *hints)
{
    return combine(group, KP_SCAN_EXCLUSIVE, out, in, count, type, op, 0, hints);
}
