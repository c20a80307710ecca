#include "lib/call/call.h"

#include "lib/call/laid.h"
#include "lib/execute/cache.h"
#include "lib/problem/operation.h"
#include "lib/problem/operator.h"
#include "lib/schedule/elements.h"
#include "lib/tune/trials.h"
#include "ports/member.h"

#include <stdint.h>

/* --- Arguments --- */

static bool overlap(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_bytes > 0 && b_bytes > 0 && (x < y ? y - x < a_bytes : x - y < b_bytes);
}

static ptrdiff_t distance(const char *a, const char *b)
{
    return a < b ? b - a : a - b;
}

#define REFUSE(...) kp_port_error(member, KP_EARGUMENT, -1, -1, -1, __VA_ARGS__)

static int check_sizes(kp_group *member, const kp_arguments *a, const kp_problem *p)
{
    size_t n = (size_t)p->n, element = kp_element_bytes(p);
    size_t most = (INT64_MAX < SIZE_MAX ? (size_t)INT64_MAX : SIZE_MAX) / 4 / n;
    if (p->root < 0 || p->root >= p->n)
        return REFUSE("root is %d; it may be 0 ... %d", p->root, p->n - 1);
    if (p->target < 0 || p->target >= p->n)
        return REFUSE("to is %d; it may be 0 ... %d", p->target, p->n - 1);
    if (a->count > most / element)
        return REFUSE("count is %zu elements of %zu bytes; with %zu processors it may be 0 ... %zu",
                      a->count, element, n, most / element);
    if (a->b > most)
        return REFUSE("b is %zu bytes; with %zu processors it may be 0 ... %zu", a->b, n, most);
    return KP_OK;
}

/* KP_IN_PLACE is allowed as `in` at the root of a scatter. In other operations it is allowed as
 * `out`, at processors that have both buffers. */
static int check_in_place(kp_group *member, const kp_arguments *a, const kp_problem *p)
{
    int rank = kp_port_rank(member);
    bool scattered = p->operation == KP_SCATTER && rank == p->root;
    bool both = kp_operation_holds(p, rank, KP_IN) && kp_operation_holds(p, rank, KP_OUT);
    if (a->out == KP_IN_PLACE && kp_operation_has_target(p->operation))
        return REFUSE("out may not be KP_IN_PLACE in one to one");
    if (a->in == KP_IN_PLACE && kp_operation_row(p->operation)->one_buffer)
        return REFUSE("data may not be KP_IN_PLACE");
    if (a->in == KP_IN_PLACE && !scattered)
        return REFUSE(
            "in may be KP_IN_PLACE only at the root of a scatter; out may in other calls");
    if (a->out == KP_IN_PLACE && scattered)
        return REFUSE("out may not be KP_IN_PLACE in a scatter; `in` may");
    if (a->out == KP_IN_PLACE && !both)
        return REFUSE("out may be KP_IN_PLACE only at the root");
    return KP_OK;
}

static int check_buffers(kp_group *member, const kp_arguments *a, const kp_problem *p,
                         size_t out_bytes, size_t in_bytes)
{
    const bool one = kp_operation_row(p->operation)->one_buffer;
    if (!a->in && in_bytes > 0)
        return REFUSE("%s is NULL; only with 0 bytes it may be NULL", one ? "data" : "in");
    if (!one && !a->out && out_bytes > 0)
        return REFUSE("out is NULL; only with 0 bytes it may be NULL");
    if (one || p->in_place || !overlap(a->out, out_bytes, a->in, in_bytes))
        return KP_OK;
    if (a->out == a->in)
        return REFUSE("out and in overlap, as they are the same address; pass KP_IN_PLACE as out "
                      "(in a scatter as in) to use one buffer for both");
    return REFUSE("out and in overlap: they have %zu and %zu bytes, and begin %td bytes apart "
                  "(%s)",
                  out_bytes, in_bytes, distance(a->out, a->in),
                  kp_operation_reduces(p->operation)
                      ? "perhaps count is too large: it counts elements"
                      : "perhaps b is too large: it is the bytes of one block");
}

/* An argument that the operation does not have is an error, not ignored. */
int kp_call_check_foreign(kp_group *member, const kp_arguments *a, const kp_problem *p)
{
    const struct kp_operation_row *row = kp_operation_row(p->operation);
    const char *given = NULL;
    if (a->hints && (a->hints->flags & ~KP_HINT_SAME_ORDER))
        return REFUSE("hints->flags is %d; it may be 0 or KP_HINT_SAME_ORDER", a->hints->flags);
    if (!row->lengths &&
        (a->out_counts || a->in_counts || a->out_displacements || a->in_displacements))
        given = "an array of counts or displacements";
    else if (!row->lengths && (a->out_bytes != 0 || a->in_bytes != 0))
        given = "out_bytes or in_bytes";
    else if (row->lengths && row->operands &&
             (a->out_displacements || a->in_counts || a->in_displacements))
        given = "an array beside out_counts";
    else if (row->lengths && row->operands && (a->out_bytes != 0 || a->in_bytes != 0))
        given = "out_bytes or in_bytes";
    else if (row->lengths && a->count != 0)
        given = "count";
    else if (a->root != 0 && !kp_operation_has_root(p->operation))
        given = "root";
    else if (a->to != 0 && !kp_operation_has_target(p->operation))
        given = "to";
    else if (a->b != 0 && (row->operands || row->lengths))
        given = "b";
    else if ((a->count != 0 || a->op) && !row->operands)
        given = a->op ? "op" : "count";
    else if (kp_has_layouts(a) && row->operands)
        given = "a layout";
    else if ((a->out_layouts || a->in_layouts) && a->operation != KP_INDEXV)
        given = "an array of layouts";
    else if (!kp_has_layouts(a) && (a->out_count != 0 || a->in_count != 0))
        given = "out_count or in_count, without a layout,";
    return given ? REFUSE("%s is given, but %s has none", given, row->name) : KP_OK;
}

/* Operators of the library access elements by their own type, which needs an aligned address. */
static int check_alignment(kp_group *member, const kp_arguments *a, const kp_problem *p)
{
    size_t bytes = kp_operation_reduces(p->operation) ? kp_type_alignment(p->type) : 0;
    for (int space = KP_OUT; space <= KP_IN && bytes > 0; space++) {
        const void *data = space == KP_OUT ? a->out : a->in;
        bool used = data != KP_IN_PLACE && kp_operation_holds(p, kp_port_rank(member), space);
        if (used && (uintptr_t)data % bytes != 0)
            return REFUSE("%s is at an address that is no multiple of %zu, as %s wants it",
                          space == KP_OUT ? "out" : "in", bytes, kp_type_name(p->type));
    }
    return KP_OK;
}

int kp_call_check_operator(kp_group *member, const kp_problem *p)
{
    const kp_operator *op = p->op;
    if (!kp_operation_reduces(p->operation))
        return KP_OK;
    if (!op)
        return REFUSE("op is NULL; it must be KP_SUM or another operator");
    if (!op->combine && !kp_operator_is_builtin(op))
        return REFUSE("operator %s has no function, and is none of the library's own, which go by "
                      "their address",
                      kp_operator_name(op));
    if (!kp_type_name(p->type))
        return REFUSE("type is %d; it may be 0 ... %d", (int)p->type, (int)KP_TYPES - 1);
    if (p->type == KP_OPAQUE && op->combine && op->element_bytes == 0)
        return REFUSE("operator %s has elements of 0 bytes; of type opaque they may have 1 or more",
                      kp_operator_name(op));
    if (!kp_operator_loops(op, p->type).combine)
        return REFUSE("operator %s does not know elements of type %s", kp_operator_name(op),
                      kp_type_name(p->type));
    return KP_OK;
}

int kp_call_check_algorithm(kp_group *member, const kp_problem *p)
{
    const kp_algorithm *algorithm = p->algorithm;
    if (algorithm && algorithm->operation != p->operation)
        return kp_port_error(member, KP_EALGORITHM, -1, -1, -1, "algorithm %s does %s, not %s",
                             algorithm->name, kp_operation_name(algorithm->operation),
                             kp_operation_name(p->operation));
    return KP_OK;
}

int kp_call_check_buffers(kp_group *member, const kp_arguments *a, const kp_problem *asked,
                          size_t out_bytes, size_t in_bytes)
{
    int status = check_in_place(member, a, asked);
    status = status ? status : check_buffers(member, a, asked, out_bytes, in_bytes);
    return status ? status : check_alignment(member, a, asked);
}

int kp_call_check(kp_group *member, const kp_arguments *a, const kp_problem *asked)
{
    int status = kp_call_check_foreign(member, a, asked);
    status = status ? status : kp_call_check_operator(member, asked);
    status = status ? status : check_sizes(member, a, asked);
    if (!status && kp_has_layouts(a)) {
        status = check_in_place(member, a, asked);
        status = status ? status : kp_laid_check(member, a, asked);
    } else if (!status) {
        status = kp_call_check_buffers(member, a, asked,
                                       kp_call_buffer_bytes(asked, kp_port_rank(member), KP_OUT),
                                       kp_call_buffer_bytes(asked, kp_port_rank(member), KP_IN));
    }
    return status ? status : kp_call_check_algorithm(member, asked);
}

/* --- Carrying out --- */

bool kp_call_buffers_fit(const struct kp_prepared *call, const void *out, const void *in)
{
    uintptr_t from = (uintptr_t)out, to = (uintptr_t)in;
    size_t out_bytes = call->out_bytes, in_bytes = call->in_bytes;
    if ((out_bytes > 0 && !from) || (in_bytes > 0 && !to))
        return false;
    if (((out_bytes > 0 ? from : 0) | (in_bytes > 0 ? to : 0)) & call->misaligned)
        return false;
    return out_bytes == 0 || in_bytes == 0 || (to - from >= out_bytes && from - to >= in_bytes);
}

/* Makes a checked call that the cache does not have. */
static int call(kp_group *member, const struct kp_key *key, kp_problem *asked)
{
    struct kp_trial *trial;
    if (kp_trials_find(member, asked, &trial))
        return kp_member_refuse(member, kp_call_describe, asked);
    if (!trial)
        return kp_call_serve(member, key, asked, asked, true);
    bool decided;
    int told = kp_trials_begin(member, trial, asked, &decided);
    if (told && told != KP_EUNTAKEN)
        return told;
    int status = kp_call_serve(member, key, asked, asked, decided);
    kp_trials_end(trial, status);
    return status ? status : told;
}

int kp_call(kp_group *member, const kp_arguments *a)
{
    int status = kp_member_enter(member);
    if (status)
        return status;
    return kp_member_leave(member, kp_call_entered(member, a));
}

/* Makes a call with layouts. A kept call has the same layouts, so only its buffers are checked. */
static int call_laid(kp_group *member, const kp_arguments *given)
{
    kp_arguments a;
    const int status = kp_laid_complete(member, given, &a);
    kp_problem asked = kp_call_problem(member, &a);
    if (status)
        return kp_member_refuse(member, kp_call_describe, &asked);
    const struct kp_key key = kp_key_of(&a);
    struct kp_prepared *kept = kp_cache_find(member, &key);
    if (!kept) {
        if (kp_call_check(member, &a, &asked))
            return kp_member_refuse(member, kp_call_describe, &asked);
        return call(member, &key, &asked);
    }
    struct kp_laid *laid = kept->laid;
    if (laid->checked_out != a.out || laid->checked_in != a.in) {
        if (kp_laid_check_buffers(member, &a, &asked))
            return kp_member_refuse(member, kp_call_describe, &asked);
        laid->checked_out = a.out;
        laid->checked_in = a.in;
    }
    const struct kp_cache *cache = kp_member_attachment(member);
    return kp_call_carry_out(member, kept, a.out, a.in, cache->scratch, false);
}

int kp_call_entered(kp_group *member, const kp_arguments *a)
{
    if (kp_has_layouts(a))
        return call_laid(member, a);
    const struct kp_key key = kp_key_of(a);
    struct kp_prepared *kept = kp_cache_find(member, &key);
    if (!kept || !kp_call_buffers_fit(kept, a->out, a->in)) {
        kp_problem asked = kp_call_problem(member, a);
        if (kp_call_check(member, a, &asked))
            return kp_member_refuse(member, kp_call_describe, &asked);
        if (!kept)
            return call(member, &key, &asked);
    }
    const struct kp_cache *cache = kp_member_attachment(member);
    return kp_call_carry_out(member, kept, a->out, a->in, cache->scratch, false);
}
