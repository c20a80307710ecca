#include "tools/kport/msccl/check/clocks.h"

#include <stdlib.h>
#include <string.h>

#define MOST_COUNT UINT16_MAX /* of a column */

bool msccl_clocks_begin(struct msccl_clocks *c, const struct msccl_graph *g)
{
    *c = (struct msccl_clocks){.g = g};
    c->column = malloc(((size_t)g->m->block_count + 1) * sizeof *c->column);
    return c->column;
}

void msccl_clocks_end(struct msccl_clocks *c)
{
    free(c->column);
    free(c->rows);
}

static void number_columns(struct msccl_clocks *c, int32_t rank, const uint8_t *wanted)
{
    const struct msccl *m = c->g->m;
    const struct msccl_rank *r = &m->ranks[rank];
    memset(c->column, 0xff, m->block_count * sizeof *c->column);
    c->columns = 0;
    for (uint32_t i = r->first; i < r->first + r->count; i++) {
        if (!wanted[i])
            continue;
        c->column[i] = c->columns;
        c->columns += (m->blocks[i].count + MOST_COUNT - 1) / MOST_COUNT;
    }
}

/* Writes the column in which a step is counted, and its count there. */
static void count_of(const struct msccl_clocks *c, uint32_t step, uint32_t *column, uint16_t *count)
{
    uint32_t block = c->g->m->steps[step].block, i = step - c->g->m->blocks[block].first;
    *column = c->column[block] + i / MOST_COUNT;
    *count = (uint16_t)(i % MOST_COUNT + 1);
}

static void fill_row(struct msccl_clocks *c, uint32_t at)
{
    const struct msccl_graph *g = c->g;
    const uint32_t step = g->order[at], columns = c->columns;
    uint32_t before[MSCCL_BEFORE], own;
    uint16_t *restrict row = c->rows + (size_t)at * columns;
    int found = msccl_graph_before(g, step, before);
    memset(row, 0, columns * sizeof *row);
    for (int i = 0; i < found; i++) {
        const uint16_t *restrict other = c->rows + (size_t)g->position[before[i]] * columns;
        for (uint32_t k = 0; k < columns; k++)
            row[k] = row[k] > other[k] ? row[k] : other[k];
    }
    if (c->column[g->m->steps[step].block] == MSCCL_NONE)
        return;
    uint16_t count;
    count_of(c, step, &own, &count);
    row[own] = count;
}

bool msccl_clocks_make(struct msccl_clocks *c, int32_t rank, const uint8_t *wanted)
{
    number_columns(c, rank, wanted);
    size_t size = (size_t)c->g->ordered * c->columns * sizeof *c->rows;
    if (size > MSCCL_MOST_CLOCKS)
        return false;
    if (size > c->room) {
        free(c->rows);
        c->rows = malloc(size);
        c->room = c->rows ? size : 0;
        if (!c->rows)
            return false;
    }
    for (uint32_t i = 0; i < c->g->ordered; i++)
        fill_row(c, i);
    return true;
}

bool msccl_before(const struct msccl_clocks *c, uint32_t a, uint32_t b)
{
    const struct msccl_step *steps = c->g->m->steps;
    uint32_t column;
    uint16_t count;
    if (steps[a].block == steps[b].block)
        return a < b;
    count_of(c, a, &column, &count);
    return c->rows[(size_t)c->g->position[b] * c->columns + column] >= count;
}
