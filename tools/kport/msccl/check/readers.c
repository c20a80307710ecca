/* What the readers of a racy place may see. A reader sees the last write before it, and the
 * additions since then. It can see any write that does not come after it and that no other write
 * comes between. */
#include "tools/kport/msccl/check/races.h"

/* A place where the readers, the writes and the additions make more combinations than this is
 * examined coarsely: any race there that is not between equal writes or additions matters. */
#define MOST_WORK ((uint64_t)1 << 26)

#define RESULT MSCCL_NONE /* the reader is the result of the collective, after all steps */

/* The accesses to a place: one kind in each list, as indices in `accesses`. */
struct place_view {
    struct msccl_races *r;
    uint32_t place;
    struct kp_vector of[ACCESS_ADD + 1];
    uint32_t reader;
};

static size_t count_of(const struct place_view *v, enum access_kind kind)
{
    return v->of[kind].count;
}

static uint32_t item(const struct place_view *v, enum access_kind kind, size_t i)
{
    return ((const uint32_t *)v->of[kind].items)[i];
}

static uint32_t step_of(const struct place_view *v, uint32_t access)
{
    return v->r->p->accesses[access].step;
}

/* An indivisible step that copies a place to itself does as much as none. */
static bool keeps(const struct place_view *v, uint32_t access)
{
    return v->r->indivisible && msccl_step_keeps(v->r->p, step_of(v, access));
}

/* --- The order --- */

static bool comes_before(const struct place_view *v, uint32_t a, uint32_t b)
{
    uint32_t first = step_of(v, a), second = step_of(v, b);
    return first != second && msccl_before(&v->r->clocks, first, second);
}

static bool before_reader(const struct place_view *v, uint32_t a)
{
    return v->reader == RESULT || comes_before(v, a, v->reader);
}

/* A step that reads and writes a place reads first. */
static bool after_reader(const struct place_view *v, uint32_t a)
{
    return v->reader != RESULT &&
           (step_of(v, a) == step_of(v, v->reader) || comes_before(v, v->reader, a));
}

/* Returns whether a write comes between this access and the reader in every order. */
static bool is_overwritten(const struct place_view *v, uint32_t a)
{
    for (size_t i = 0; i < count_of(v, ACCESS_WRITE); i++) {
        uint32_t w = item(v, ACCESS_WRITE, i);
        if (w != a && before_reader(v, w) && comes_before(v, a, w))
            return true;
    }
    return false;
}

/* --- What is stored --- */

static void add_source(struct place_view *v, uint32_t access)
{
    uint32_t *source = kp_vector_add(&v->r->sources, sizeof *source);
    if (source)
        *source = access;
    v->r->no_memory = v->r->no_memory || !source;
}

static void add_doubt(struct place_view *v, struct msccl_doubt doubt)
{
    struct msccl_doubt *stored = kp_vector_add(&v->r->doubts, sizeof *stored);
    if (stored)
        *stored = doubt;
    v->r->no_memory = v->r->no_memory || !stored;
}

static void add_always(struct place_view *v, uint32_t one, uint32_t other)
{
    add_doubt(v, (struct msccl_doubt){step_of(v, one), step_of(v, other), true, one, other});
}

/* --- The reader's sources --- */

/* Additions that neither come before the reader nor after it may be seen or not. Additions before
 * it may be overwritten by a write that is not ordered with them. */
static void examine_addition(struct place_view *v, uint32_t a)
{
    if (after_reader(v, a))
        return;
    if (!before_reader(v, a)) {
        add_source(v, a);
        add_always(v, v->reader, a);
        return;
    }
    if (is_overwritten(v, a))
        return;
    add_source(v, a);
    for (size_t i = 0; i < count_of(v, ACCESS_WRITE); i++) {
        uint32_t w = item(v, ACCESS_WRITE, i);
        if (!after_reader(v, w) && !comes_before(v, w, a) && !comes_before(v, a, w) &&
            step_of(v, a) != step_of(v, w))
            add_always(v, a, w);
    }
    for (size_t i = 0; !v->r->indivisible && i < count_of(v, ACCESS_ADD); i++) {
        uint32_t other = item(v, ACCESS_ADD, i);
        if (other < a && before_reader(v, other) && !comes_before(v, other, a) &&
            !comes_before(v, a, other) && step_of(v, a) != step_of(v, other))
            add_always(v, a, other);
    }
}

/* Returns a write before the reader that it can see; MSCCL_NONE: it can see what was there before
 * the first step. */
static uint32_t find_base(const struct place_view *v)
{
    for (size_t i = 0; i < count_of(v, ACCESS_WRITE); i++) {
        uint32_t w = item(v, ACCESS_WRITE, i);
        if (!after_reader(v, w) && before_reader(v, w) && !is_overwritten(v, w))
            return w;
    }
    return MSCCL_NONE;
}

/* `added` says whether additions before the reader belong to what it sees. A write that comes in
 * between would drop them. */
static void examine_writes(struct place_view *v, bool added)
{
    const uint32_t base = find_base(v);
    for (size_t i = 0; i < count_of(v, ACCESS_WRITE); i++) {
        uint32_t w = item(v, ACCESS_WRITE, i);
        bool before = before_reader(v, w);
        if (after_reader(v, w) || (before && is_overwritten(v, w)))
            continue;
        add_source(v, w);
        if (w != base)
            add_doubt(v, (struct msccl_doubt){step_of(v, before ? base : v->reader), step_of(v, w),
                                              !before && added, base, w});
    }
}

static struct msccl_reader *add_reader(struct place_view *v)
{
    struct msccl_races *r = v->r;
    struct msccl_reader *reader = kp_vector_add(&r->readers, sizeof *reader);
    if (!reader) {
        r->no_memory = true;
        return NULL;
    }
    *reader = (struct msccl_reader){.first_source = (uint32_t)r->sources.count,
                                    .first_doubt = (uint32_t)r->doubts.count};
    return reader;
}

static void end_reader(struct place_view *v)
{
    struct msccl_races *r = v->r;
    struct msccl_reader *reader = (struct msccl_reader *)r->readers.items + (r->readers.count - 1);
    reader->sources = (uint32_t)r->sources.count - reader->first_source;
    reader->doubts = (uint32_t)r->doubts.count - reader->first_doubt;
}

static void examine_reader(struct place_view *v, uint32_t reader)
{
    v->reader = reader;
    if (!add_reader(v))
        return;
    const size_t none = v->r->sources.count;
    for (size_t i = 0; i < count_of(v, ACCESS_ADD); i++)
        examine_addition(v, item(v, ACCESS_ADD, i));
    examine_writes(v, v->r->sources.count > none);
    end_reader(v);
}

/* --- Places with many accesses --- */

static void doubt_neighbours(struct place_view *v, uint32_t i, uint32_t k)
{
    const struct msccl_access *a = &v->r->p->accesses[i], *b = &v->r->p->accesses[k];
    if (a->kind == ACCESS_WRITE && b->kind == ACCESS_WRITE)
        add_doubt(v, (struct msccl_doubt){a->step, b->step, false, i, k});
    else if (a->kind != ACCESS_ADD || b->kind != ACCESS_ADD || !v->r->indivisible)
        add_always(v, i, k);
}

/* All readers of the place have the same sources and doubts. */
static void examine_coarsely(struct place_view *v)
{
    const struct msccl_places *p = v->r->p;
    uint32_t since = p->begin[v->place];
    if (!add_reader(v))
        return;
    for (uint32_t i = p->begin[v->place]; i < p->begin[v->place + 1]; i++) {
        bool changes = p->accesses[i].kind != ACCESS_READ && !keeps(v, i);
        for (uint32_t k = since; k < (changes ? i : since + 1); k++) {
            if ((changes || p->accesses[k].kind != ACCESS_READ) && !keeps(v, i) && !keeps(v, k) &&
                !comes_before(v, k, i) && !comes_before(v, i, k) && step_of(v, i) != step_of(v, k))
                doubt_neighbours(v, i, k);
        }
        if (changes)
            add_source(v, since = i);
    }
    end_reader(v);
}

/* --- A place --- */

static bool list_accesses(struct place_view *v)
{
    const struct msccl_places *p = v->r->p;
    for (uint32_t i = p->begin[v->place]; i < p->begin[v->place + 1]; i++) {
        if (keeps(v, i))
            continue;
        uint32_t *stored = kp_vector_add(&v->of[p->accesses[i].kind], sizeof *stored);
        if (!stored)
            return false;
        *stored = i;
    }
    return true;
}

static void examine(struct place_view *v)
{
    const uint64_t reads = count_of(v, ACCESS_READ), writes = count_of(v, ACCESS_WRITE),
                   adds = count_of(v, ACCESS_ADD);
    struct msccl_races *r = v->r;
    bool coarse =
        (reads + 1) * (writes + adds + 1) * (writes + (r->indivisible ? 0 : adds) + 1) > MOST_WORK;
    if (coarse)
        examine_coarsely(v);
    for (size_t i = 0; i < reads; i++) {
        if (!coarse)
            examine_reader(v, item(v, ACCESS_READ, i));
        r->reader_of[item(v, ACCESS_READ, i)] = (uint32_t)r->readers.count - 1;
    }
    if (!coarse)
        examine_reader(v, RESULT);
    r->result_reader_of[v->place] = (uint32_t)r->readers.count - 1;
}

bool msccl_races_examine(struct msccl_races *r, uint32_t place)
{
    struct place_view v = {.r = r, .place = place};
    bool listed = list_accesses(&v);
    if (listed)
        examine(&v);
    for (int i = 0; i <= ACCESS_ADD; i++)
        kp_vector_free(&v.of[i]);
    return listed && !r->no_memory;
}
