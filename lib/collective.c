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
    int target;
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
    if (p->target < 0 || p->target >= p->n)
        return kp_port_error(seat, KP_EARGUMENT, -1, -1, -1, "to is %d; it may be 0 ... %d",
                             p->target, p->n - 1);
    if (a->b > (size_t)INT64_MAX / 4 / n || a->b > SIZE_MAX / 4 / n)
        return kp_port_error(
            seat, KP_EARGUMENT, -1, -1, -1,
            "b is %zu bytes; with %zu processors that is more than memory can hold", a->b, n);
    size_t out_bytes = buffer_bytes(p, rank, KP_OUT), in_bytes = buffer_bytes(p, rank, KP_IN);
    bool scattered = p->operation == KP_SCATTER && rank == p->root;
    if (a->in == KP_IN_PLACE && !scattered)
        return refuse_argument(seat, "in", "may be KP_IN_PLACE only at the root of a scatter");
    if (a->out == KP_IN_PLACE && scattered)
        return refuse_argument(seat, "out", "may not be KP_IN_PLACE in a scatter; `in` may");
    if (a->out == KP_IN_PLACE && kp_operation_has_target(p->operation))
        return refuse_argument(seat, "out", "may not be KP_IN_PLACE in one to one");
    if (!a->in && in_bytes > 0)
        return refuse_argument(seat, "in", "is NULL");
    if (p->in_place || kp_operation_row(p->operation)->one_buffer)
        return KP_OK;
    if (!a->out && out_bytes > 0)
        return refuse_argument(seat, "out", "is NULL");
    if (overlap(a->out, out_bytes, a->in, in_bytes))
        return refuse_argument(seat, "out",
                               "and in overlap (KP_IN_PLACE says so where it is meant)");
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

/* Whether KP_IN_PLACE needs a copy of the incoming buffer, because every block of it is both sent
 * and written. */
static bool copies(const kp_problem *p)
{
    return p->in_place && kp_operation_blocks(p->operation, KP_OUT) == KP_BLOCK_EACH &&
           kp_operation_blocks(p->operation, KP_IN) == KP_BLOCK_EACH;
}

/* Where the data of both directions lie for the executor. Where the own block is the same in both
 * buffers, one follows from the other. */
static void lay_buffers(kp_group *seat, const struct arguments *a, const kp_problem *p, char *copy,
                        const char **out, char **in)
{
    size_t own = (size_t)kp_rank(seat) * p->b;
    *out = a->out;
    *in = a->in;
    if (kp_operation_row(p->operation)->one_buffer) {
        *out = a->in;
    } else if (copies(p)) {
        *out = p->b > 0 ? memcpy(copy, a->in, (size_t)p->n * p->b) : copy;
    } else if (p->in_place && kp_operation_blocks(p->operation, KP_OUT) == KP_BLOCK_ONE) {
        *out = a->in + own;
    } else if (p->in_place) {
        *in = (char *)a->out + own;
    }
}

static kp_problem problem_of(kp_group *seat, const struct arguments *a)
{
    kp_problem p = {.operation = a->operation,
                    .n = kp_size(seat),
                    .k = kp_ports(seat),
                    .b = a->b,
                    .root = a->root,
                    .target = a->target,
                    .in_place = a->out == KP_IN_PLACE || a->in == KP_IN_PLACE};
    if (a->how) {
        p.algorithm = a->how->algorithm;
        memcpy(p.values, a->how->values, sizeof p.values);
    }
    return p;
}

static int collective(kp_group *seat, const struct arguments *a)
{
    int status = kp_port_enter(seat);
    if (status)
        return status;
    kp_problem asked = problem_of(seat, a);
    if ((status = check_buffers(seat, a, &asked)) || (status = check_how(seat, a)))
        return kp_port_refuse(seat, describe, &asked);
    struct kp_prepared *call = kp_plan_find(seat, &asked);
    if (!call)
        return kp_port_refuse(seat, describe, &asked);
    call->problem.root = asked.root;
    call->problem.in_place = asked.in_place;

    size_t scratch_bytes = (size_t)call->plan->schedule->units[KP_SCRATCH] * call->unit_bytes;
    size_t all_bytes = scratch_bytes + (copies(&asked) ? (size_t)asked.n * a->b : 0);
    char *scratch = NULL, *in;
    const char *out;
    if (all_bytes > 0 && !(scratch = kp_plan_scratch(seat, all_bytes))) {
        kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for %zu bytes of scratch",
                      all_bytes);
        return kp_port_refuse(seat, describe, &asked);
    }
    lay_buffers(seat, a, &asked, scratch ? scratch + scratch_bytes : NULL, &out, &in);
    return kp_execute(seat, call, out, in, scratch, describe);
}

int(kp_index)(kp_group *group, const void *out, void *in, size_t b, const kp_how *how)
{
    struct arguments a = {KP_INDEX, out, in, b, 0, how, 0};
    return collective(group, &a);
}

int(kp_concat)(kp_group *group, const void *out, void *in, size_t b, const kp_how *how)
{
    struct arguments a = {KP_CONCAT, out, in, b, 0, how, 0};
    return collective(group, &a);
}

int(kp_broadcast)(kp_group *group, void *data, size_t b, int root, const kp_how *how)
{
    struct arguments a = {KP_BROADCAST, NULL, data, b, root, how, 0};
    return collective(group, &a);
}

int(kp_scatter)(kp_group *group, const void *out, void *in, size_t b, int root, const kp_how *how)
{
    struct arguments a = {KP_SCATTER, out, in, b, root, how, 0};
    return collective(group, &a);
}

int(kp_gather)(kp_group *group, const void *out, void *in, size_t b, int root, const kp_how *how)
{
    struct arguments a = {KP_GATHER, out, in, b, root, how, 0};
    return collective(group, &a);
}

int(kp_one_to_one)(kp_group *group, const void *out, void *in, size_t b, int root, int to,
                   const kp_how *how)
{
    struct arguments a = {KP_ONE_TO_ONE, out, in, b, root, how, to};
    return collective(group, &a);
}
