#include "tools/kport/msccl/check/races.h"

#include <stdlib.h>
#include <string.h>

/* Up to this many accesses to a place all pairs that race are listed, else only neighbours. */
#define FEW 64

/* More races are not listed. */
#define MOST_RACES ((size_t)1 << 20)

static bool exclusive(const struct msccl_access *a)
{
    return a->kind != ACCESS_READ;
}

/* --- Places that several thread blocks touch --- */

static bool is_shared(const struct msccl_races *r, uint32_t place)
{
    const struct msccl_access *list = r->p->accesses;
    const struct msccl_step *steps = r->p->m->steps;
    bool others = false, changed = false;
    for (uint32_t i = r->p->begin[place]; i < r->p->begin[place + 1]; i++) {
        changed = changed || exclusive(&list[i]);
        others = others || steps[list[i].step].block != steps[list[r->p->begin[place]].step].block;
    }
    return others && changed;
}

/* Marks the thread blocks of a rank that touch such places. Returns whether there are any. */
static bool mark_blocks(struct msccl_races *r, int32_t rank)
{
    bool any = false;
    for (uint32_t place = r->p->first[rank]; place < r->p->first[rank + 1]; place++) {
        if (!is_shared(r, place))
            continue;
        any = true;
        for (uint32_t i = r->p->begin[place]; i < r->p->begin[place + 1]; i++)
            r->wanted[r->p->m->steps[r->p->accesses[i].step].block] = 1;
    }
    return any;
}

/* --- Races --- */

static bool ordered(const struct msccl_races *r, uint32_t i, uint32_t k)
{
    uint32_t a = r->p->accesses[i].step, b = r->p->accesses[k].step;
    return a == b || msccl_before(&r->clocks, a, b) || msccl_before(&r->clocks, b, a);
}

static void add_race(struct msccl_races *r, uint32_t place, uint32_t i, uint32_t k)
{
    uint32_t a = r->p->accesses[i].step, b = r->p->accesses[k].step;
    r->racy[place] = 1;
    if (r->p->accesses[i].kind == ACCESS_ADD && r->p->accesses[k].kind == ACCESS_ADD)
        r->unordered[place] = 1;
    if (r->races.count >= MOST_RACES)
        return;
    struct msccl_race *race = kp_vector_add(&r->races, sizeof *race);
    if (race)
        *race = (struct msccl_race){a < b ? a : b, a < b ? b : a, place};
    r->no_memory = r->no_memory || !race;
}

/* Compares each access with the last change before it, and each change also with the reads since
 * then. If all these are ordered, all accesses to the place are. */
static void find_neighbours(struct msccl_races *r, uint32_t place)
{
    const struct msccl_access *list = r->p->accesses;
    const uint32_t begin = r->p->begin[place];
    uint32_t since = begin; /* the last change, or the first access */
    for (uint32_t i = begin; i < r->p->begin[place + 1]; i++) {
        bool changes = exclusive(&list[i]);
        for (uint32_t k = since; k < (changes ? i : since + 1); k++) {
            if ((changes || exclusive(&list[k])) && !ordered(r, k, i))
                add_race(r, place, k, i);
        }
        since = changes ? i : since;
    }
}

static void find_pairs(struct msccl_races *r, uint32_t place)
{
    const struct msccl_access *list = r->p->accesses;
    for (uint32_t i = r->p->begin[place]; i < r->p->begin[place + 1]; i++) {
        for (uint32_t k = r->p->begin[place]; k < i; k++) {
            if ((exclusive(&list[i]) || exclusive(&list[k])) && !ordered(r, k, i))
                add_race(r, place, k, i);
        }
    }
}

static bool prepare_readers(struct msccl_races *r)
{
    const size_t places = r->p->first[r->p->m->n];
    if (r->reader_of)
        return true;
    r->reader_of = calloc((size_t)r->p->begin[places] + 1, sizeof *r->reader_of);
    r->result_reader_of = calloc(places + 1, sizeof *r->result_reader_of);
    return r->reader_of && r->result_reader_of;
}

static bool find_in_rank(struct msccl_races *r, int32_t rank)
{
    if (!mark_blocks(r, rank))
        return true;
    if (!msccl_clocks_make(&r->clocks, rank, r->wanted)) {
        r->too_large = true;
        return false;
    }
    for (uint32_t place = r->p->first[rank]; place < r->p->first[rank + 1]; place++) {
        if (!is_shared(r, place))
            continue;
        find_neighbours(r, place);
        if (!r->racy[place])
            continue;
        if (r->p->begin[place + 1] - r->p->begin[place] <= FEW)
            find_pairs(r, place);
        if (r->no_memory || !prepare_readers(r) || !msccl_races_examine(r, place))
            return false;
    }
    return true;
}

static int by_steps(const void *a, const void *b)
{
    const struct msccl_race *l = a, *r = b;
    const uint32_t left[] = {l->a, l->b, l->place}, right[] = {r->a, r->b, r->place};
    for (int i = 0; i < 3; i++) {
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    }
    return 0;
}

void msccl_races_sort(struct kp_vector *races)
{
    struct msccl_race *list = races->items;
    size_t kept = 0;
    if (races->count > 0)
        qsort(list, races->count, sizeof *list, by_steps);
    for (size_t i = 0; i < races->count; i++) {
        if (kept == 0 || list[kept - 1].a != list[i].a || list[kept - 1].b != list[i].b)
            list[kept++] = list[i];
    }
    races->count = kept;
}

bool msccl_races_begin(struct msccl_races *r, const struct msccl_graph *g,
                       const struct msccl_places *p, bool indivisible)
{
    const size_t places = p->first[p->m->n];
    *r = (struct msccl_races){.g = g, .p = p, .indivisible = indivisible};
    r->wanted = calloc((size_t)p->m->block_count + 1, 1);
    r->racy = calloc(places + 1, 1);
    r->unordered = calloc(places + 1, 1);
    if (!msccl_clocks_begin(&r->clocks, g) || !r->wanted || !r->racy || !r->unordered)
        return false;
    for (int32_t rank = 0; rank < p->m->n; rank++) {
        if (!find_in_rank(r, rank))
            return false;
    }
    msccl_races_sort(&r->races);
    return true;
}

void msccl_races_end(struct msccl_races *r)
{
    msccl_clocks_end(&r->clocks);
    free(r->wanted);
    free(r->racy);
    free(r->unordered);
    free(r->reader_of);
    free(r->result_reader_of);
    kp_vector_free(&r->races);
    kp_vector_free(&r->matter);
    kp_vector_free(&r->readers);
    kp_vector_free(&r->sources);
    kp_vector_free(&r->doubts);
}
