#include "lib/recent.h"

#include "lib/operation.h"
#include "lib/operator.h"
#include "lib/steps.h"

#include <string.h>

static bool same_how(const kp_how *kept, const kp_how *how)
{
    if (!how)
        return !kept->algorithm;
    return kept->algorithm == how->algorithm &&
           memcmp(kept->values, how->values, sizeof how->values) == 0;
}

static bool same_call(const struct kp_again *again, const struct kp_recent *r,
                      const kp_arguments *a)
{
    return again->operation == a->operation && again->b == a->b && r->count == a->count &&
           again->root == a->root && r->to == a->to && r->type == a->type && r->op == a->op &&
           r->out_in_place == (a->out == KP_IN_PLACE) && r->in_in_place == (a->in == KP_IN_PLACE) &&
           same_how(&r->how, a->how);
}

/* Whether the buffers raise no question; a space of no bytes may be anywhere. */
static bool plain_buffers(const struct kp_again *again, const struct kp_recent *r,
                          const kp_arguments *a)
{
    uintptr_t out = (uintptr_t)a->out, in = (uintptr_t)a->in;
    size_t out_bytes = again->out_bytes, in_bytes = again->in_bytes;
    if ((out_bytes > 0 && !out) || (in_bytes > 0 && !in))
        return false;
    if (((out_bytes > 0 ? out : 0) | (in_bytes > 0 ? in : 0)) & r->misaligned)
        return false;
    return out_bytes == 0 || in_bytes == 0 || (in - out >= out_bytes && out - in >= in_bytes);
}

/* Apart, so that the way through the steps saves no registers for it. */
__attribute__((noinline)) static int carry_out(kp_group *seat, const kp_arguments *a,
                                               struct kp_prepared *prepared, char *scratch)
{
    struct kp_ready ready = kp_call_lay(seat, a, &prepared->recent.asked, prepared, scratch);
    return kp_call_execute(seat, &ready);
}

bool kp_recent_call(kp_group *seat, const kp_arguments *a, int *status)
{
    struct kp_prepared *prepared = kp_plan_recent(seat, a->operation);
    if (!prepared)
        return false;
    const struct kp_recent *r = &prepared->recent;
    struct kp_again *again = &prepared->again;
    if (!r->valid || !same_call(again, r, a) || !plain_buffers(again, r, a))
        return false;
    char *scratch = r->scratch_bytes > 0 ? kp_plan_scratch(seat, r->scratch_bytes) : NULL;
    if (r->scratch_bytes > 0 && !scratch)
        return false;
    if (!prepared->steps_tried) {
        prepared->steps_tried = true;
        prepared->steps = kp_steps_make(seat, prepared);
        again->plain = prepared->steps && !a->how && !a->op && !r->asked.in_place &&
                       r->scratch_bytes == 0 && a->to == 0;
    }
    if (prepared->steps && !r->asked.in_place) {
        *status = kp_steps_execute(seat, prepared, r->one_buffer ? a->in : a->out, a->in, scratch);
        return true;
    }
    *status = carry_out(seat, a, prepared, scratch);
    return true;
}

void kp_recent_keep(kp_group *seat, const kp_arguments *a, const kp_problem *asked,
                    struct kp_prepared *prepared, size_t scratch_bytes)
{
    struct kp_recent *r = &prepared->recent;
    struct kp_again *again = &prepared->again;
    /* An operator of the user's may be another one at the same address next time. */
    r->valid = !a->op || kp_operator_is_builtin(a->op);
    again->plain = false; /* not before there are steps */
    again->operation = a->operation;
    again->b = a->b;
    again->root = a->root;
    r->count = a->count;
    r->to = a->to;
    r->type = a->type;
    r->op = a->op;
    r->how = a->how ? *a->how : (kp_how){.algorithm = NULL};
    r->out_in_place = a->out == KP_IN_PLACE;
    r->in_in_place = a->in == KP_IN_PLACE;
    r->asked = *asked;
    r->asked.algorithm = NULL;
    r->scratch_bytes = scratch_bytes;
    again->out_bytes =
        r->out_in_place ? 0 : kp_call_buffer_bytes(asked, kp_port_rank(seat), KP_OUT);
    again->in_bytes = r->in_in_place ? 0 : kp_call_buffer_bytes(asked, kp_port_rank(seat), KP_IN);
    r->one_buffer = kp_operation_row(asked->operation)->one_buffer;
    if (r->one_buffer)
        again->out_bytes = 0;
    size_t alignment = kp_operation_reduces(a->operation) ? kp_type_alignment(a->type) : 0;
    r->misaligned = alignment > 0 ? alignment - 1 : 0;
    kp_plan_set_recent(seat, a->operation, prepared);
}
