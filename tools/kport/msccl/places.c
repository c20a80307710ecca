#include "tools/kport/msccl/places.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const buffers[MSCCL_BUFFERS] = {"input", "output", "scratch"};

/* --- Where the buffers lie --- */

/* Returns the first place after those of the rank. */
static uint32_t lay_out(struct msccl_places *p, int32_t rank, uint32_t at)
{
    const struct msccl *m = p->m;
    uint32_t input = (uint32_t)msccl_input_chunks(m, rank);
    uint32_t output = (uint32_t)msccl_output_chunks(m, rank);
    uint32_t in = at, out = at + input, end = at + input + output;
    if (p->in_place && m->collective != MSCCL_CUSTOM) {
        in = at + (m->collective == MSCCL_ALLGATHER ? input * (uint32_t)rank : 0);
        out = at + (m->collective == MSCCL_REDUCESCATTER ? output * (uint32_t)rank : 0);
        end = at + (input > output ? input : output);
    }
    p->base[MSCCL_INPUT][rank] = in;
    p->base[MSCCL_OUTPUT][rank] = out;
    p->base[MSCCL_SCRATCH][rank] = end;
    return end + (uint32_t)m->ranks[rank].chunks[MSCCL_SCRATCH];
}

static uint32_t place(const struct msccl_places *p, uint32_t step, uint8_t buffer, int64_t offset)
{
    int32_t rank = p->m->blocks[p->m->steps[step].block].rank;
    if (offset < 0 || offset >= p->m->ranks[rank].chunks[buffer])
        return MSCCL_NONE;
    return p->base[buffer][rank] + (uint32_t)offset;
}

uint32_t msccl_place_read(const struct msccl_places *p, uint32_t step, int32_t i)
{
    const struct msccl_step *s = &p->m->steps[step];
    return s->kind->does & MSCCL_READS ? place(p, step, s->from_buffer, (int64_t)s->from + i)
                                       : MSCCL_NONE;
}

uint32_t msccl_place_written(const struct msccl_places *p, uint32_t step, int32_t i)
{
    const struct msccl_step *s = &p->m->steps[step];
    return s->kind->does & (MSCCL_WRITES | MSCCL_ADDS)
               ? place(p, step, s->to_buffer, (int64_t)s->to + i)
               : MSCCL_NONE;
}

bool msccl_step_adds(const struct msccl_places *p, uint32_t step)
{
    const int sum = MSCCL_RECEIVES | MSCCL_READS | MSCCL_WRITES;
    int does = p->m->steps[step].kind->does;
    return (does & MSCCL_ADDS) ||
           (does == sum && msccl_place_read(p, step, 0) == msccl_place_written(p, step, 0));
}

bool msccl_step_keeps(const struct msccl_places *p, uint32_t step)
{
    return p->m->steps[step].kind->does == (MSCCL_READS | MSCCL_WRITES) &&
           msccl_place_read(p, step, 0) == msccl_place_written(p, step, 0);
}

int32_t msccl_place_rank(const struct msccl_places *p, uint32_t place)
{
    int32_t low = 0, high = p->m->n;
    while (high > low + 1) {
        int32_t middle = low + (high - low) / 2;
        if (p->first[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

char *msccl_place_name(const struct msccl_places *p, uint32_t place, char text[MSCCL_PLACE_NAME])
{
    int32_t rank = msccl_place_rank(p, place);
    const int32_t chunks[] = {msccl_input_chunks(p->m, rank), msccl_output_chunks(p->m, rank),
                              p->m->ranks[rank].chunks[MSCCL_SCRATCH]};
    for (int i = 0; i < MSCCL_BUFFERS; i++) {
        uint32_t at = place - p->base[i][rank];
        if (place >= p->base[i][rank] && at < (uint32_t)chunks[i])
            snprintf(text, MSCCL_PLACE_NAME, "%s chunk %u of rank %d", buffers[i], at, rank);
    }
    return text;
}

/* --- Accesses --- */

/* Calls `visit` for each access of a step. */
static void visit_step(struct msccl_places *p, uint32_t step,
                       void (*visit)(struct msccl_places *p, uint32_t place,
                                     struct msccl_access access))
{
    const bool adds = msccl_step_adds(p, step);
    const bool in_sum = adds && !(p->m->steps[step].kind->does & MSCCL_ADDS);
    for (int32_t i = 0; i < p->m->steps[step].count; i++) {
        uint32_t read = in_sum ? MSCCL_NONE : msccl_place_read(p, step, i);
        uint32_t written = msccl_place_written(p, step, i);
        struct msccl_access access = {step, p->first_unit[step] + (uint32_t)i, ACCESS_READ};
        if (read != MSCCL_NONE)
            visit(p, read, access);
        access.kind = adds ? ACCESS_ADD : ACCESS_WRITE;
        if (written != MSCCL_NONE)
            visit(p, written, access);
    }
}

static void count_access(struct msccl_places *p, uint32_t place, struct msccl_access access)
{
    (void)access;
    p->begin[place + 2]++;
}

static void add_access(struct msccl_places *p, uint32_t place, struct msccl_access access)
{
    /* begin[place + 1] is where the next access to the place is stored. In the end it is where the
     * accesses to the next place begin. */
    uint32_t at = p->begin[place + 1]++;
    p->accesses[at] = access;
    if (access.kind == ACCESS_READ)
        p->read_of[access.unit] = at;
}

static bool list_accesses(struct msccl_places *p, const struct msccl_graph *g)
{
    const uint32_t places = p->first[p->m->n], units = p->first_unit[p->m->step_count];
    p->begin = calloc((size_t)places + 2, sizeof *p->begin);
    p->read_of = malloc(((size_t)units + 1) * sizeof *p->read_of);
    if (!p->begin || !p->read_of)
        return false;
    for (uint32_t i = 0; i < units; i++)
        p->read_of[i] = MSCCL_NONE;
    for (uint32_t i = 0; i < p->m->step_count; i++)
        visit_step(p, i, count_access);
    for (uint32_t i = 1; i <= places + 1; i++)
        p->begin[i] += p->begin[i - 1];
    p->accesses = malloc(((size_t)p->begin[places + 1] + 1) * sizeof *p->accesses);
    if (!p->accesses)
        return false;
    for (uint32_t i = 0; i < p->m->step_count; i++)
        visit_step(p, g->order[i], add_access);
    return true;
}

bool msccl_places_begin(struct msccl_places *p, const struct msccl *m, const struct msccl_graph *g,
                        bool in_place)
{
    *p = (struct msccl_places){.m = m, .in_place = in_place};
    p->first = calloc((size_t)m->n + 1, sizeof *p->first);
    p->first_unit = calloc((size_t)m->step_count + 1, sizeof *p->first_unit);
    bool there = p->first && p->first_unit;
    for (int i = 0; i < MSCCL_BUFFERS; i++) {
        p->base[i] = calloc((size_t)m->n, sizeof *p->base[i]);
        there = there && p->base[i];
    }
    if (!there)
        return false;
    for (int32_t i = 0; i < m->n; i++)
        p->first[i + 1] = lay_out(p, i, p->first[i]);
    for (uint32_t i = 0; i < m->step_count; i++)
        p->first_unit[i + 1] = p->first_unit[i] + (uint32_t)m->steps[i].count;
    return !g || list_accesses(p, g);
}

void msccl_places_end(struct msccl_places *p)
{
    for (int i = 0; i < MSCCL_BUFFERS; i++)
        free(p->base[i]);
    free(p->first);
    free(p->first_unit);
    free(p->accesses);
    free(p->begin);
    free(p->read_of);
}

/* --- Bounds --- */

static void check_range(const struct msccl *m, uint32_t step, bool reads, struct findings *f)
{
    const struct msccl_step *s = &m->steps[step];
    const int32_t rank = m->blocks[s->block].rank, at = reads ? s->from : s->to;
    const uint8_t buffer = reads ? s->from_buffer : s->to_buffer;
    const int32_t chunks = m->ranks[rank].chunks[buffer];
    char name[MSCCL_NAME];
    if (s->count == 0 || (at >= 0 && (int64_t)at + s->count <= chunks))
        return;
    findings_add(f, FINDING_BOUNDS, "%s %s %s chunks %d ... %lld, but the file gives rank %d %d",
                 msccl_step_name(m, step, name), reads ? "reads" : "writes", buffers[buffer], at,
                 (long long)at + s->count - 1, rank, chunks);
}

void msccl_places_check(const struct msccl *m, struct findings *f)
{
    for (uint32_t i = 0; i < m->step_count; i++) {
        int does = m->steps[i].kind->does;
        if (does & MSCCL_READS)
            check_range(m, i, true, f);
        if (does & (MSCCL_WRITES | MSCCL_ADDS))
            check_range(m, i, false, f);
    }
}
