/* What follows from what is called: the problem, how reports word it, and all that one member has
 * to know of it before its rounds. */
#include "lib/call.h"
#include "lib/operation.h"
#include "lib/operator.h"

#include <string.h>

/* --- Reports --- */

void kp_call_describe(const void *subject, char *text, size_t size)
{
    kp_problem_format(subject, text, size);
}

/* By its address a call is known to be shown from what was prepared for it. */
void kp_call_describe_prepared(const void *subject, char *text, size_t size)
{
    kp_problem_format(subject, text, size);
}

static void describe_past(const void *subject, char *text, size_t size)
{
    static const kp_operator users = {.name = "user", .element_bytes = 1};
    kp_problem p;
    memcpy(&p, subject, sizeof p);
    p.op = !p.op || kp_operator_is_builtin(p.op) ? p.op : &users;
    kp_problem_format(&p, text, size);
}

const struct kp_past kp_call_past = {sizeof(kp_problem), describe_past};
_Static_assert(sizeof(kp_problem) <= 128, "it is kept under mailboxes");

/* --- The problem --- */

kp_problem kp_call_problem(kp_group *seat, const kp_arguments *a)
{
    kp_problem p = {.operation = a->operation,
                    .n = kp_port_size(seat),
                    .k = kp_port_ports(seat),
                    .b = a->b,
                    .root = a->root,
                    .target = a->to,
                    .in_place = a->out == KP_IN_PLACE || a->in == KP_IN_PLACE,
                    .type = a->type,
                    .op = a->op};
    if (kp_operation_reduces(a->operation))
        p.b = a->count * kp_element_bytes(&p);
    if (a->how) {
        p.algorithm = a->how->algorithm;
        memcpy(p.values, a->how->values, sizeof p.values);
    }
    return p;
}

size_t kp_call_buffer_bytes(const kp_problem *p, int rank, kp_space space)
{
    size_t blocks = kp_operation_blocks(p->operation, space) == KP_BLOCK_EACH ? (size_t)p->n : 1;
    return kp_operation_holds(p, rank, space) ? blocks * p->b : 0;
}

/* --- What follows from a problem --- */

/* Bytes that KP_IN_PLACE has to copy, because what lies there is sent when it may be written. */
static size_t copied_bytes(const kp_problem *p)
{
    const struct kp_operation_row *row = kp_operation_row(p->operation);
    if (!p->in_place || !row->copied_in_place)
        return 0;
    return p->b * (row->out == KP_BLOCK_EACH ? (size_t)p->n : 1);
}

/* Copies begin where a type of any kind may. */
static size_t aligned(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Where the data of both directions lie. Where the own block is the same in both buffers, one
 * follows from the other. */
static struct kp_places places_of(const kp_problem *p, int rank, size_t schedule_scratch)
{
    const struct kp_operation_row *row = kp_operation_row(p->operation);
    const size_t own = (size_t)rank * p->b;
    if (row->one_buffer)
        return (struct kp_places){.of = {KP_IN, KP_IN}};
    if (!p->in_place)
        return (struct kp_places){.of = {KP_OUT, KP_IN}};
    if (copied_bytes(p) > 0)
        return (struct kp_places){.of = {KP_SCRATCH, KP_IN}, .offset = {schedule_scratch, 0}};
    if (row->out == KP_BLOCK_ONE)
        return (struct kp_places){.of = {KP_IN, KP_IN},
                                  .offset = {row->in == KP_BLOCK_EACH ? own : 0, 0}};
    if (p->operation == KP_SCATTER)
        return (struct kp_places){.of = {KP_OUT, KP_OUT}, .offset = {0, own}};
    return (struct kp_places){.of = {KP_IN, KP_IN}};
}

void kp_call_show(struct kp_prepared *prepared)
{
    const kp_problem *p = &prepared->problem;
    uint64_t operator= kp_operation_reduces(p->operation) ? kp_operator_fingerprint(p->op, p->type)
                                                          : 0;
    prepared->shown =
        (struct kp_call){kp_call_fingerprint(prepared->fingerprint, p->root, operator),
                         kp_call_describe_prepared, p};
}

static void settle_operator(struct kp_prepared *prepared)
{
    const kp_problem *p = &prepared->problem;
    const bool users = p->op && !kp_operator_is_builtin(p->op);
    const size_t alignment = kp_operation_reduces(p->operation) ? kp_type_alignment(p->type) : 0;
    prepared->operator=(struct kp_operator_seen){.combine = NULL};
    if (users)
        prepared->operator=(struct kp_operator_seen){.combine = p->op->combine,
                                                     .element_bytes = p->op->element_bytes,
                                                     .fingerprint =
                                                         kp_operator_fingerprint(p->op, p->type)};
    prepared->misaligned = alignment > 0 ? alignment - 1 : 0;
    if (p->op)
        prepared->combiner = (struct kp_combiner){.function = kp_operator_function(p->op, p->type),
                                                  .context = p->op->context};
}

void kp_call_settle(kp_group *seat, struct kp_prepared *prepared)
{
    const kp_problem *p = &prepared->problem;
    const int rank = kp_port_rank(seat);
    const struct kp_schedule *schedule = prepared->plan->schedule;
    const size_t scratch = aligned((size_t)schedule->units[KP_SCRATCH] * prepared->unit_bytes);
    prepared->places = places_of(p, rank, scratch);
    prepared->lowering.copied = copied_bytes(p);
    prepared->lowering.element = kp_element_bytes(p);
    prepared->scratch_bytes = scratch + copied_bytes(p);
    prepared->out_bytes =
        prepared->places.of[0] == KP_OUT ? kp_call_buffer_bytes(p, rank, KP_OUT) : 0;
    prepared->in_bytes = prepared->places.of[1] == KP_IN ? kp_call_buffer_bytes(p, rank, KP_IN) : 0;
    settle_operator(prepared);
    kp_call_show(prepared);
}
