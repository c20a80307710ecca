/* Which races matter: those that change what the result is made of. */
#include "tools/kport/msccl/check/races.h"

#include <stdio.h>
#include <stdlib.h>

/* A unit of which the result is made. */
struct unit {
    uint32_t step;
    int32_t i;
};

struct judge {
    struct msccl_races *r;
    const struct msccl_values *v;
    uint8_t *used; /* for each unit, whether the result is made of it */
    uint8_t *seen; /* for each reader, whether its doubts have been judged */
    /* For each access, the last access before it that changes the place; MSCCL_NONE. */
    uint32_t *change;
    struct kp_vector stack; /* of struct unit: used, and not followed back yet */
    bool no_memory;
};

static void use(struct judge *j, uint32_t step, int32_t i)
{
    uint32_t unit = j->r->p->first_unit[step] + (uint32_t)i;
    if (j->used[unit])
        return;
    j->used[unit] = 1;
    struct unit *next = kp_vector_add(&j->stack, sizeof *next);
    if (next)
        *next = (struct unit){step, i};
    j->no_memory = j->no_memory || !next;
}

static void use_access(struct judge *j, uint32_t access)
{
    const struct msccl_access *a = &j->r->p->accesses[access];
    use(j, a->step, (int32_t)(a->unit - j->r->p->first_unit[a->step]));
}

/* --- Doubts --- */

static msccl_symbol written(const struct judge *j, uint32_t access, uint32_t place)
{
    return access == MSCCL_NONE ? j->v->initial[place]
                                : j->v->moved[j->r->p->accesses[access].unit];
}

static bool is_true(struct judge *j, const struct msccl_doubt *d, uint32_t place)
{
    msccl_symbol one = written(j, d->one, place), other = written(j, d->other, place);
    if (d->always || !msccl_same_contributions(j->v, one, other))
        return true;
    j->r->varies = j->r->varies || one != other;
    return false;
}

static void judge_reader(struct judge *j, uint32_t index, uint32_t place)
{
    const struct msccl_reader *reader = (const struct msccl_reader *)j->r->readers.items + index;
    const struct msccl_doubt *doubts = j->r->doubts.items;
    const uint32_t *sources = j->r->sources.items;
    for (uint32_t i = 0; i < reader->sources; i++)
        use_access(j, sources[reader->first_source + i]);
    for (uint32_t i = 0; i < reader->doubts; i++) {
        const struct msccl_doubt *d = &doubts[reader->first_doubt + i];
        if (!is_true(j, d, place))
            continue;
        struct msccl_race *race = kp_vector_add(&j->r->matter, sizeof *race);
        if (race)
            *race =
                (struct msccl_race){d->a < d->b ? d->a : d->b, d->a < d->b ? d->b : d->a, place};
        j->no_memory = j->no_memory || !race;
    }
    j->seen[index] = 1;
}

/* --- Following back --- */

static bool find_changes(struct judge *j)
{
    const struct msccl_places *p = j->r->p;
    const uint32_t places = p->first[p->m->n];
    j->change = malloc(((size_t)p->begin[places] + 1) * sizeof *j->change);
    for (uint32_t place = 0; place < places && j->change; place++) {
        uint32_t last = MSCCL_NONE;
        for (uint32_t i = p->begin[place]; i < p->begin[place + 1]; i++) {
            j->change[i] = last;
            last = p->accesses[i].kind == ACCESS_READ ? last : i;
        }
    }
    return j->change;
}

/* Returns the last access that changes a place; MSCCL_NONE. */
static uint32_t last_change(const struct judge *j, uint32_t place)
{
    const struct msccl_places *p = j->r->p;
    uint32_t end = p->begin[place + 1];
    if (end == p->begin[place])
        return MSCCL_NONE;
    return p->accesses[end - 1].kind == ACCESS_READ ? j->change[end - 1] : end - 1;
}

/* Uses what a reader sees at a place without races: the changes from `last` back to a write.
 * `reader` is the reader's step. */
static void use_changes(struct judge *j, uint32_t last, uint32_t reader)
{
    for (uint32_t i = last; i != MSCCL_NONE; i = j->change[i]) {
        const struct msccl_access *a = &j->r->p->accesses[i];
        if (a->step == reader)
            continue;
        /* Who used this addition before has used what is before it. */
        if (a->kind == ACCESS_ADD && j->used[a->unit])
            return;
        use_access(j, i);
        if (a->kind == ACCESS_WRITE)
            return;
    }
}

static void follow(struct judge *j, struct unit unit)
{
    const struct msccl_places *p = j->r->p;
    uint32_t index = p->first_unit[unit.step] + (uint32_t)unit.i;
    uint32_t sender = j->r->g->sender[unit.step], access = p->read_of[index];
    if (sender != MSCCL_NONE && unit.i < p->m->steps[sender].count)
        use(j, sender, unit.i);
    if (access == MSCCL_NONE)
        return;
    uint32_t place = msccl_place_read(p, unit.step, unit.i);
    if (!j->r->racy[place])
        use_changes(j, j->change[access], unit.step);
    else if (!j->seen[j->r->reader_of[access]])
        judge_reader(j, j->r->reader_of[access], place);
}

static void follow_all(struct judge *j, const uint8_t *result)
{
    const struct msccl_places *p = j->r->p;
    for (uint32_t place = 0; place < p->first[p->m->n] && !j->no_memory; place++) {
        if (!result[place])
            continue;
        if (!j->r->racy[place])
            use_changes(j, last_change(j, place), MSCCL_NONE);
        else if (!j->seen[j->r->result_reader_of[place]])
            judge_reader(j, j->r->result_reader_of[place], place);
        while (j->stack.count > 0 && !j->no_memory) {
            struct unit unit = ((const struct unit *)j->stack.items)[--j->stack.count];
            follow(j, unit);
        }
    }
}

bool msccl_races_judge(struct msccl_races *r, const struct msccl_values *v, const uint8_t *result)
{
    struct judge j = {.r = r, .v = v};
    if (!r->reader_of)
        return true;
    j.used = calloc((size_t)r->p->first_unit[r->p->m->step_count] + 1, 1);
    j.seen = calloc(r->readers.count + 1, 1);
    if (j.used && j.seen && find_changes(&j))
        follow_all(&j, result);
    else
        j.no_memory = true;
    free(j.used);
    free(j.seen);
    free(j.change);
    kp_vector_free(&j.stack);
    msccl_races_sort(&r->matter);
    return !j.no_memory;
}

/* --- Telling --- */

static const char *access_of(const struct msccl_races *r, uint32_t step, uint32_t place)
{
    bool reads = false;
    for (uint32_t i = r->p->begin[place]; i < r->p->begin[place + 1]; i++) {
        const struct msccl_access *a = &r->p->accesses[i];
        if (a->step != step)
            continue;
        if (a->kind != ACCESS_READ)
            return a->kind == ACCESS_ADD ? "adds to" : "writes";
        reads = true;
    }
    return reads ? "reads" : "touches";
}

static const char *why_benign(const struct msccl_races *r, const struct msccl_race *race,
                              const char *one, const char *other)
{
    const bool keeps = msccl_step_keeps(r->p, race->a) || msccl_step_keeps(r->p, race->b);
    return ((one[0] == 'a' && other[0] == 'a') || keeps) && r->indivisible
               ? ", but every order leaves the same contributions, if no step is torn apart "
                 "(--torn)"
               : ", but every order leaves the same contributions";
}

static void tell(const struct msccl_races *r, const struct msccl_race *race, bool matters,
                 struct findings *f)
{
    char one[MSCCL_NAME], other[MSCCL_NAME], place[MSCCL_PLACE_NAME];
    enum finding_kind kind = matters ? FINDING_RACE : FINDING_BENIGN;
    if (f->counts[kind] >= FINDINGS_KEPT) {
        findings_count(f, kind);
        return;
    }
    const char *does = access_of(r, race->a, race->place);
    const char *other_does = access_of(r, race->b, race->place);
    findings_add(f, kind, "%s %s %s, and %s %s it; nothing orders the two%s",
                 msccl_step_name(r->p->m, race->a, one), does,
                 msccl_place_name(r->p, race->place, place),
                 msccl_step_name(r->p->m, race->b, other), other_does,
                 matters ? "" : why_benign(r, race, does, other_does));
}

void msccl_races_tell(const struct msccl_races *r, struct findings *f)
{
    const struct msccl_race *all = r->races.items, *matter = r->matter.items;
    size_t at = 0;
    for (size_t i = 0; i < r->matter.count; i++)
        tell(r, &matter[i], true, f);
    for (size_t i = 0; i < r->races.count; i++) {
        while (at < r->matter.count &&
               (matter[at].a < all[i].a || (matter[at].a == all[i].a && matter[at].b < all[i].b)))
            at++;
        if (at == r->matter.count || matter[at].a != all[i].a || matter[at].b != all[i].b)
            tell(r, &all[i], false, f);
    }
}
