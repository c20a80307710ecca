#include "tools/kport/msccl/check/values.h"

#include <stdlib.h>
#include <string.h>

/* --- Symbols --- */

msccl_symbol msccl_symbol_of(const struct msccl_values *v, int32_t rank, int32_t chunk)
{
    return (msccl_symbol)((uint64_t)rank * (uint64_t)v->contributions.cells + (uint64_t)chunk + 1);
}

const struct msccl_spoiled *msccl_spoiled_of(const struct msccl_values *v, msccl_symbol symbol)
{
    uint32_t i = UINT32_MAX - symbol;
    return i < v->spoiled.count ? (const struct msccl_spoiled *)v->spoiled.items + i : NULL;
}

static msccl_symbol spoil(struct msccl_values *v, uint32_t step, enum kp_clash clash, int member)
{
    struct msccl_spoiled *spoiled = kp_vector_add(&v->spoiled, sizeof *spoiled);
    if (!spoiled) {
        v->no_memory = true;
        return MSCCL_NOTHING;
    }
    *spoiled = (struct msccl_spoiled){step, clash, member};
    return UINT32_MAX - (msccl_symbol)(v->spoiled.count - 1);
}

bool msccl_same_contributions(const struct msccl_values *v, msccl_symbol a, msccl_symbol b)
{
    if (a == b || a == MSCCL_NOTHING || b == MSCCL_NOTHING || msccl_spoiled_of(v, a) ||
        msccl_spoiled_of(v, b))
        return a == b;
    const struct kp_contributions *c = &v->contributions;
    struct kp_contribution left = kp_contribution_of(c, a), right = kp_contribution_of(c, b);
    if (left.cell != right.cell || left.count != right.count)
        return false;
    for (int rank = 0; rank < c->n; rank++) {
        if (kp_contribution_has(c, a, rank) != kp_contribution_has(c, b, rank))
            return false;
    }
    return true;
}

/* --- Sums --- */

/* A row of the table. Sums at a place where additions come in several orders are made in the same
 * way only if they are made at the same place. */
struct sum {
    msccl_symbol left, right, result;
    uint32_t place;
};

static struct sum *find_sum(const struct msccl_values *v, struct sum wanted)
{
    uint64_t hash = ((uint64_t)wanted.left << 32 | wanted.right) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 29 ^ wanted.place) * UINT64_C(0xbf58476d1ce4e5b9);
    struct sum *table = v->sums.items;
    for (uint64_t i = hash >> 20;; i++) {
        struct sum *at = &table[i & (v->sum_room - 1)];
        if (at->result == MSCCL_NOTHING ||
            (at->left == wanted.left && at->right == wanted.right && at->place == wanted.place))
            return at;
    }
}

static bool make_room(struct msccl_values *v)
{
    struct msccl_values old = *v;
    const struct sum *table = old.sums.items;
    if (v->sums.count * 4 < (size_t)v->sum_room * 3)
        return true;
    v->sum_room = v->sum_room ? 2 * v->sum_room : 1024;
    v->sums.items = calloc(v->sum_room, sizeof(struct sum));
    if (!v->sums.items) {
        *v = old;
        return false;
    }
    for (uint32_t i = 0; i < old.sum_room; i++) {
        if (table[i].result != MSCCL_NOTHING)
            *find_sum(v, table[i]) = table[i];
    }
    free(old.sums.items);
    return true;
}

static msccl_symbol new_sum(struct msccl_values *v, struct sum *row, uint32_t step)
{
    uint64_t result = 0;
    int member = -1;
    enum kp_clash clash =
        kp_contributions_combine(&v->contributions, row->left, row->right, &result, &member);
    if (clash == KP_CLASH_MEMORY || result >= UINT32_MAX / 2)
        v->no_memory = true;
    return clash == KP_NO_CLASH ? (msccl_symbol)result : spoil(v, step, clash, member);
}

/* Returns the symbol of a sum that the step makes. `place` is 0, or 1 + the place where additions
 * come in several orders. */
static msccl_symbol add(struct msccl_values *v, msccl_symbol a, msccl_symbol b, uint32_t step,
                        uint32_t place)
{
    v->combined = true;
    if (msccl_spoiled_of(v, a))
        return a;
    if (msccl_spoiled_of(v, b))
        return b;
    if (a == MSCCL_NOTHING || b == MSCCL_NOTHING)
        return spoil(v, step, KP_NO_CLASH, -1);
    struct sum wanted = {a < b ? a : b, a < b ? b : a, 0, place};
    if (!make_room(v)) {
        v->no_memory = true;
        return MSCCL_NOTHING;
    }
    struct sum *row = find_sum(v, wanted);
    if (row->result == MSCCL_NOTHING) {
        wanted.result = new_sum(v, &wanted, step);
        if (wanted.result != MSCCL_NOTHING)
            v->sums.count++;
        *row = wanted;
    }
    return row->result;
}

/* --- Steps --- */

static msccl_symbol received(const struct msccl_values *v, uint32_t step, int32_t i)
{
    uint32_t sender = v->g->sender[step];
    if (sender == MSCCL_NONE || i >= v->p->m->steps[sender].count)
        return MSCCL_NOTHING;
    return v->moved[v->p->first_unit[sender] + (uint32_t)i];
}

/* Returns what a unit sends or writes. */
static msccl_symbol move(struct msccl_values *v, uint32_t step, int32_t i, bool adds)
{
    const struct msccl_places *p = v->p;
    const int does = p->m->steps[step].kind->does;
    uint32_t read = msccl_place_read(p, step, i), written = msccl_place_written(p, step, i);
    msccl_symbol there = read == MSCCL_NONE ? MSCCL_NOTHING : v->held[read];
    msccl_symbol came = does & MSCCL_RECEIVES ? received(v, step, i) : there;
    if (adds) {
        uint32_t salt =
            written != MSCCL_NONE && v->unordered && v->unordered[written] ? written + 1 : 0;
        there = written == MSCCL_NONE ? MSCCL_NOTHING : v->held[written];
        return add(v, there, came, step, salt);
    }
    return (does & MSCCL_RECEIVES) && (does & MSCCL_READS) ? add(v, there, came, step, 0) : came;
}

static void carry_out(struct msccl_values *v, uint32_t step)
{
    const int32_t count = v->p->m->steps[step].count;
    msccl_symbol *moved = v->moved + v->p->first_unit[step];
    const bool adds = msccl_step_adds(v->p, step);
    for (int32_t i = 0; i < count; i++)
        moved[i] = move(v, step, i, adds);
    for (int32_t i = 0; i < count; i++) {
        uint32_t written = msccl_place_written(v->p, step, i);
        if (written != MSCCL_NONE)
            v->held[written] = moved[i];
    }
}

static void fill(struct msccl_values *v)
{
    const struct msccl *m = v->p->m;
    for (int32_t rank = 0; rank < m->n; rank++) {
        for (int32_t i = 0; i < msccl_input_chunks(m, rank); i++)
            v->initial[v->p->base[MSCCL_INPUT][rank] + (uint32_t)i] = msccl_symbol_of(v, rank, i);
    }
    memcpy(v->held, v->initial, v->p->first[m->n] * sizeof *v->held);
}

bool msccl_values_begin(struct msccl_values *v, const struct msccl_graph *g,
                        const struct msccl_places *p, const uint8_t *unordered)
{
    const struct msccl *m = p->m;
    const size_t places = p->first[m->n], units = p->first_unit[m->step_count];
    int64_t cells = 1;
    *v = (struct msccl_values){.p = p, .g = g, .unordered = unordered};
    for (int32_t i = 0; i < m->n; i++)
        cells = msccl_input_chunks(m, i) > cells ? msccl_input_chunks(m, i) : cells;
    kp_contributions_begin(&v->contributions, m->n, cells);
    v->initial = calloc(places + 1, sizeof *v->initial);
    v->held = calloc(places + 1, sizeof *v->held);
    v->moved = calloc(units + 1, sizeof *v->moved);
    if (!v->initial || !v->held || !v->moved)
        return false;
    fill(v);
    for (uint32_t i = 0; i < g->ordered && !v->no_memory; i++)
        carry_out(v, g->order[i]);
    return !v->no_memory;
}

void msccl_values_end(struct msccl_values *v)
{
    kp_contributions_end(&v->contributions);
    kp_vector_free(&v->spoiled);
    kp_vector_free(&v->sums);
    free(v->initial);
    free(v->held);
    free(v->moved);
}
