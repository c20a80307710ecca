/* The public calls: check the arguments, find the plan, execute. */
#include "kport/collective.h"

#include "lib/execute.h"
#include "lib/operation.h"
#include "lib/plan.h"

#include <stdint.h>
#include <string.h>

/* A call's arguments, common to all operations. */
struct arguments {
    kp_operation operation;
    const char *out;
    char *in;
    size_t b;
    int root;
    const kp_how *how;
};

static void describe(const void *subject, char *text, size_t size)
{
    kp_problem_format(subject, text, size);
}

static bool overlap(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_bytes > 0 && b_bytes > 0 && (x < y ? y - x < a_bytes : x - y < b_bytes);
}

static int refuse_argument(kp_group *seat, const char *what, const char *why)
{
    return kp_port_error(seat, KP_EARGUMENT, -1, -1, -1, "%s %s", what, why);
}

/* Bytes of a buffer; 0 where this processor has none. */
static size_t buffer_bytes(const kp_problem *p, int rank, kp_space space)
{
    size_t blocks = kp_operation_blocks(p->operation, space) == KP_BLOCK_EACH ? (size_t)p->n : 1;
    return kp_operation_holds(p, rank, space) ? blocks * p->b : 0;
}

/* 0, or the status of the error that is now set at the processor. */
static int check_buffers(kp_group *seat, const struct arguments *a, const kp_problem *p)
{
    size_t n = (size_t)p->n;
    int rank = kp_rank(seat);
    if (p->root < 0 || p->root >= p->n)
        return kp_port_error(seat, KP_EARGUMENT, -1, -1, -1, "root is %d; it may be 0 ... %d",
                             p->root, p->n - 1);
    if (a->b > (size_t)INT64_MAX / 4 / n || a->b > SIZE_MAX / 4 / n)
        return kp_port_error(seat, KP_EARGUMENT, -1, -1, -1,
                             "b is %zu bytes; with %zu processors that is more than memory can hold",
                             a->b, n);
    size_t out_bytes = buffer_bytes(p, rank, KP_OUT), in_bytes = buffer_bytes(p, rank, KP_IN);
    if (a->in == KP_IN_PLACE || (!a->in && in_bytes > 0))
        return refuse_argument(seat, "in", a->in ? "may not be KP_IN_PLACE" : "is NULL");
    if (p->in_place || kp_operation_row(p->operation)->one_buffer)
        return KP_OK;
    if (!a->out && out_bytes > 0)
        return refuse_argument(seat, "out", "is NULL");
    if (overlap(a->out, out_bytes, a->in, in_bytes))
        return refuse_argument(seat, "out", "and in overlap (KP_IN_PLACE says so where it is meant)");
    return KP_OK;
}

static int check_how(kp_group *seat, const struct arguments *a)
{
    const kp_algorithm *algorithm = a->how ? a->how->algorithm : NULL;
    if (algorithm && algorithm->operation != a->operation)
        return kp_port_error(seat, KP_EALGORITHM, -1, -1, -1, "algorithm %s does %s, not %s",
                             algorithm->name, kp_operation_name(algorithm->operation),
                             kp_operation_name(a->operation));
    return KP_OK;
}

/* Where the outgoing data lies: with KP_IN_PLACE the own block in `in`, or, where every block of
 * `in` will be written, a copy of all of it. */
static const char *outgoing(kp_group *seat, const struct arguments *a, char *copy)
{
    if (a->out != KP_IN_PLACE)
        return a->out;
    if (kp_operation_blocks(a->operation, KP_OUT) != KP_BLOCK_EACH)
        return a->in + (size_t)kp_rank(seat) * a->b;
    return a->b > 0 ? memcpy(copy, a->in, (size_t)kp_size(seat) * a->b) : copy;
}

static int collective(kp_group *seat, const struct arguments *a)
{
    int status = kp_port_enter(seat);
    if (status)
        return status;
    kp_problem asked = {
        .operation = a->operation, .n = kp_size(seat), .k = kp_ports(seat), .b = a->b};
    if (a->how) {
        asked.algorithm = a->how->algorithm;
        memcpy(asked.values, a->how->values, sizeof asked.values);
    }
    if ((status = check_buffers(seat, a)) || (status = check_how(seat, a)))
        return kp_port_refuse(seat, describe, &asked);
    struct kp_prepared *call = kp_plan_find(seat, &asked);
    if (!call)
        return kp_port_refuse(seat, describe, &asked);

    size_t scratch_bytes = (size_t)call->plan->schedule->units[KP_SCRATCH] * call->unit_bytes;
    bool copied =
        a->out == KP_IN_PLACE && kp_operation_blocks(a->operation, KP_OUT) == KP_BLOCK_EACH;
    size_t copy_bytes = copied ? (size_t)asked.n * a->b : 0;
    char *scratch = NULL;
    if (scratch_bytes + copy_bytes > 0 &&
        !(scratch = kp_plan_scratch(seat, scratch_bytes + copy_bytes))) {
        kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for %zu bytes of scratch",
                      scratch_bytes + copy_bytes);
        return kp_port_refuse(seat, describe, &asked);
    }
    const char *out = outgoing(seat, a, copied && scratch ? scratch + scratch_bytes : NULL);
    return kp_execute(seat, call, out, a->in, scratch, describe);
}

int(kp_index)(kp_group *group, const void *out, void *in, size_t b, const kp_how *how)
{
    struct arguments a = {KP_INDEX, out, in, b, how};
    return collective(group, &a);
}

int(kp_concat)(kp_group *group, const void *out, void *in, size_t b, const kp_how *how)
{
    struct arguments a = {KP_CONCAT, out, in, b, how};
    return collective(group, &a);
}
