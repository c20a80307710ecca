/* The collectives that combine operands. */
#include "pmpi.h"

#include <stdint.h>

/* Counts are in elements. */
struct reduction {
    struct pm_terms terms;
    kp_operation operation;
    const void *send;
    void *recv;
    size_t count;    /* kport's */
    size_t sent;     /* the elements of kport's outgoing buffer */
    size_t received; /* the same of its incoming buffer */
    size_t first;    /* of the received elements, the first that the program gets */
    size_t got;      /* how many the program gets */
    int root;
    bool receives; /* this member gets a result */
};

/* Checks the program's arguments. Returns false, and counts the call as passed on, if the MPI has
 * to judge them. */
static bool reduction_is(const struct pm_call *call, struct reduction *r, MPI_Count count,
                         MPI_Datatype type, MPI_Op op)
{
    const bool in_place = r->send == MPI_IN_PLACE;
    if (count < 0 || r->recv == MPI_IN_PLACE ||
        (in_place && r->operation == KP_REDUCE && !r->receives))
        return pm_pass(call, PM_WRONG);
    if (!pm_terms_is(call, &r->terms, op, type))
        return false;
    const struct pm_kind *kind = &r->terms.kind;
    const bool empty = count == 0 || kind->size == 0;
    r->sent = r->received = r->got = r->count = empty ? 0 : (size_t)count;
    if (kind->named && !empty && ((r->receives && !r->recv) || (in_place ? !r->recv : !r->send)))
        return pm_pass(call, PM_WRONG);
    return r->operation == KP_REDUCE || !r->receives ||
           !pm_same_buffer(call, r->send, r->recv, r->sent);
}

/* Returns where kport finds the cells of a buffer of the program, or NULL if it cannot use them
 * there. */
static char *cells_at(const struct pm_terms *terms, const void *buffer)
{
    char *cells = (char *)((MPI_Aint)buffer + terms->kind.true_lb);
    const size_t alignment = terms->type == KP_OPAQUE ? 1 : kp_type_bytes(terms->type);
    return terms->direct && (uintptr_t)cells % alignment == 0 ? cells : NULL;
}

static bool overlap(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return x < y ? y - x < a_bytes : x - y < b_bytes;
}

static int call_kport(const struct reduction *r, kp_group *group, const kp_operator *op,
                      const void *out, void *in, const kp_hints *hints)
{
    const kp_type type = r->terms.type;
    switch ((int)r->operation) {
    case KP_REDUCE:
        return kp_reduce(group, out, in, r->count, type, op, r->root, hints);
    case KP_ALLREDUCE:
        return kp_allreduce(group, out, in, r->count, type, op, hints);
    case KP_REDUCE_SCATTER:
        return kp_reduce_scatter(group, out, in, r->count, type, op, hints);
    case KP_SCAN:
        return kp_scan(group, out, in, r->count, type, op, hints);
    default:
        return kp_scan_exclusive(group, out, in, r->count, type, op, hints);
    }
}

static int call_with(struct pm_call *call, struct reduction *r, const void *out, void *in)
{
    const kp_operator *op = pm_terms_operator(call, &r->terms);
    kp_group *group = pm_group(call);
    if (!op || !group)
        return KP_OK;
    const kp_problem problem = {.operation = r->operation,
                                .n = call->n,
                                .k = kp_ports(group),
                                .b = r->count * r->terms.cell,
                                .root = r->root,
                                .type = r->terms.type,
                                .op = op};
    pm_count_taken(call->operation, &problem);
    int status = call_kport(r, group, op, out, in, pm_hints(&problem));
    if (status == KP_OK)
        pm_terms_check(call);
    return status;
}

static int carry_out(struct pm_call *call, struct reduction *r)
{
    const struct pm_terms *terms = &r->terms;
    const bool in_place = r->send == MPI_IN_PLACE,
               needs_in = r->receives || r->operation != KP_REDUCE;
    const void *operand = in_place ? r->recv : r->send;
    if (r->sent == 0) {
        pm_count_taken(call->operation, NULL);
        return MPI_SUCCESS;
    }
    char *result = r->receives && r->got == r->received ? cells_at(terms, r->recv) : NULL;
    char *in =
        needs_in && !result ? pm_stage(call, PM_STAGE_IN, r->received * terms->cell) : result;
    char *out = in_place && result ? KP_IN_PLACE : cells_at(terms, operand);
    const bool apart = out == KP_IN_PLACE || !out || !result ||
                       !overlap(out, r->sent * terms->cell, result, r->received * terms->cell);
    if (!out || !apart) {
        out = pm_stage(call, PM_STAGE_OUT, r->sent * terms->cell);
        pm_terms_load(call, terms, operand, r->sent, out);
    }
    int status = call_with(call, r, out, in);
    if (status == KP_OK && r->receives && !result)
        pm_terms_store(call, terms, in + r->first * terms->cell, r->recv, r->got);
    return pm_end(call, status);
}

static bool is_slower(struct pm_call *call, const struct reduction *r)
{
    return pm_is_slower(call, r->sent * r->terms.kind.size, r->terms.type == KP_OPAQUE);
}

/* Blocks of different lengths are combined by an allreduce, of which every member gets its part. */
static bool parts_are(const struct pm_call *call, struct reduction *r, struct pm_numbers counts,
                      MPI_Datatype type, MPI_Op op)
{
    bool equal = true, right = true;
    size_t total = 0;
    if (!counts.array)
        return pm_pass(call, PM_WRONG);
    for (int i = 0; i < call->n && right; i++) {
        right = pm_number(counts, i) >= 0;
        equal = equal && pm_number(counts, i) == pm_number(counts, 0);
        r->first = i == call->rank ? total : r->first;
        total += (size_t)pm_number(counts, i);
    }
    if (!right)
        return pm_pass(call, PM_WRONG);
    if (!reduction_is(call, r, pm_number(counts, call->rank), type, op))
        return false;
    r->sent = r->terms.kind.size == 0 ? 0 : total;
    if (equal) {
        r->first = 0;
        return true;
    }
    r->operation = KP_ALLREDUCE;
    r->count = r->received = r->sent;
    return true;
}

#define COUNT          int
#define PLACE          int
#define NAME(function) function
#include "reduce_calls.h"
#undef COUNT
#undef PLACE
#undef NAME

#if MPI_VERSION >= 4
#define COUNT          MPI_Count
#define PLACE          MPI_Aint
#define NAME(function) function##_c
#include "reduce_calls.h"
#endif
