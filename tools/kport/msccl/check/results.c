#include "tools/kport/msccl/check/results.h"

#include <stdio.h>

/* --- What is promised --- */

static bool due(const struct msccl_values *v, int32_t rank)
{
    return v->p->m->collective != MSCCL_REDUCE || rank == v->root;
}

static uint32_t output(const struct msccl_values *v, int32_t rank, int32_t chunk)
{
    return v->p->base[MSCCL_OUTPUT][rank] + (uint32_t)chunk;
}

/* Returns the chunk of the inputs of which output chunk `chunk` of a rank is the sum. */
static int32_t summed_chunk(const struct msccl *m, int32_t rank, int32_t chunk)
{
    return m->collective == MSCCL_REDUCESCATTER ? rank * (m->chunks / m->n) + chunk : chunk;
}

/* Finds the rank and the chunk of the input that are output chunk `chunk` of a rank, for a
 * collective that combines nothing. */
static void origin(const struct msccl_values *v, int32_t rank, int32_t chunk, int32_t *from,
                   int32_t *at)
{
    const struct msccl *m = v->p->m;
    const int32_t share = m->chunks / m->n;
    *from = m->collective == MSCCL_BROADCAST ? v->root : chunk / share;
    *at = m->collective == MSCCL_BROADCAST   ? chunk
          : m->collective == MSCCL_ALLGATHER ? chunk % share
                                             : rank * share + chunk % share;
}

static bool is_whole(const struct msccl_values *v, msccl_symbol held)
{
    return held != MSCCL_NOTHING && !msccl_spoiled_of(v, held);
}

static bool right(const struct msccl_values *v, int32_t rank, int32_t chunk)
{
    const struct msccl *m = v->p->m;
    msccl_symbol held = v->held[output(v, rank, chunk)];
    int32_t from, at;
    if (m->collective == MSCCL_CUSTOM)
        return true;
    if (msccl_reduces(m->collective)) {
        if (!is_whole(v, held))
            return false;
        struct kp_contribution c = kp_contribution_of(&v->contributions, held);
        return c.cell == summed_chunk(m, rank, chunk) && c.count == m->n;
    }
    origin(v, rank, chunk, &from, &at);
    return held == msccl_symbol_of(v, from, at);
}

/* --- The root, where the file does not name it --- */

static int32_t right_chunks(const struct msccl_values *v, int32_t rank)
{
    int32_t count = 0;
    for (int32_t i = 0; i < v->p->m->chunks; i++)
        count += right(v, rank, i);
    return count;
}

static int32_t find_root(const struct msccl_values *v)
{
    const struct msccl *m = v->p->m;
    int32_t best = 0, most = 0;
    if (m->collective == MSCCL_BROADCAST) {
        msccl_symbol held = v->held[output(v, 0, 0)];
        return is_whole(v, held) ? kp_contribution_of(&v->contributions, held).first : 0;
    }
    for (int32_t i = 0; i < m->n; i++) {
        int32_t count = right_chunks(v, i);
        best = count > most ? i : best;
        most = count > most ? count : most;
    }
    return best;
}

void msccl_results_mark(struct msccl_values *v, uint8_t *result)
{
    const struct msccl *m = v->p->m;
    v->root = m->root;
    if (v->root < 0 && (m->collective == MSCCL_BROADCAST || m->collective == MSCCL_REDUCE))
        v->root = find_root(v);
    for (int32_t rank = 0; rank < m->n; rank++) {
        for (int32_t i = 0; i < msccl_output_chunks(m, rank) && due(v, rank); i++)
            result[output(v, rank, i)] = 1;
        for (int32_t i = 0; m->collective == MSCCL_CUSTOM && i < msccl_input_chunks(m, rank); i++)
            result[v->p->base[MSCCL_INPUT][rank] + (uint32_t)i] = 1;
    }
}

/* --- What is there instead --- */

static void tell_spoiled(const struct msccl_values *v, const char *place,
                         const struct msccl_spoiled *spoiled, struct findings *f)
{
    char step[MSCCL_NAME], what[64] = "chunks of other numbers";
    if (spoiled->clash == KP_CLASH_MEMBER)
        snprintf(what, sizeof what, "the contribution of rank %d a second time", spoiled->member);
    if (spoiled->clash == KP_NO_CLASH)
        snprintf(what, sizeof what, "a place in which nothing has arrived");
    findings_add(f, FINDING_RESULT, "%s is a wrong sum: %s adds %s", place,
                 msccl_step_name(v->p->m, spoiled->step, step), what);
}

static void tell_missing(const struct msccl_values *v, const char *place, msccl_symbol held,
                         struct findings *f)
{
    int32_t first = -1, missing = 0;
    for (int32_t i = 0; i < v->p->m->n; i++) {
        if (kp_contribution_has(&v->contributions, held, i))
            continue;
        first = missing == 0 ? i : first;
        missing++;
    }
    findings_add(f, FINDING_RESULT, "%s lacks the contribution of rank %d%s", place, first,
                 missing > 1 ? " and of others" : "");
}

static void tell(const struct msccl_values *v, int32_t rank, int32_t chunk, struct findings *f)
{
    const struct msccl *m = v->p->m;
    const msccl_symbol held = v->held[output(v, rank, chunk)];
    const struct msccl_spoiled *spoiled = msccl_spoiled_of(v, held);
    int32_t from = -1, at = summed_chunk(m, rank, chunk);
    char place[MSCCL_PLACE_NAME];
    msccl_place_name(v->p, output(v, rank, chunk), place);
    if (held == MSCCL_NOTHING) {
        findings_add(f, FINDING_RESULT, "%s: nothing has arrived", place);
        return;
    }
    if (spoiled) {
        tell_spoiled(v, place, spoiled, f);
        return;
    }
    struct kp_contribution c = kp_contribution_of(&v->contributions, held);
    if (!msccl_reduces(m->collective)) {
        origin(v, rank, chunk, &from, &at);
        findings_add(f, FINDING_RESULT, "%s holds %s %lld of rank %d, not chunk %d of rank %d",
                     place, c.count > 1 ? "a sum with chunk" : "chunk", (long long)c.cell, c.first,
                     at, from);
    } else if (c.cell != at) {
        findings_add(f, FINDING_RESULT, "%s holds chunk %lld, not chunk %d", place,
                     (long long)c.cell, at);
    } else {
        tell_missing(v, place, held, f);
    }
}

void msccl_results_check(const struct msccl_values *v, struct findings *f)
{
    const struct msccl *m = v->p->m;
    for (int32_t rank = 0; rank < m->n; rank++) {
        for (int32_t i = 0; i < msccl_output_chunks(m, rank) && due(v, rank); i++) {
            if (!right(v, rank, i))
                tell(v, rank, i, f);
        }
    }
}

/* --- The order of the sums --- */

enum msccl_order msccl_results_order(const struct msccl_values *v, struct findings *f)
{
    const struct msccl *m = v->p->m;
    enum msccl_order order = MSCCL_ORDER_SAME;
    if (!msccl_reduces(m->collective) || !v->combined)
        return MSCCL_ORDER_NONE;
    for (int32_t i = 0; i < m->chunks && m->collective == MSCCL_ALLREDUCE; i++) {
        int32_t rank = 1;
        while (rank < m->n && v->held[output(v, rank, i)] == v->held[output(v, 0, i)])
            rank++;
        if (rank == m->n)
            continue;
        order = MSCCL_ORDER_OTHER;
        if (f)
            findings_add(f, FINDING_ORDER,
                         "rank %d makes the sum of chunk %d in another order than rank 0", rank, i);
    }
    return order;
}
