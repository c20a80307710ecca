#include "tools/kport/msccl/draw.h"

#include <stdlib.h>

#define COLUMN 90 /* the distance of two ranks */
#define LINE   34 /* the distance of two levels */
#define MARGIN 50

/* The line of each step: one more than that of the last step before it. */
static uint32_t *find_levels(const struct msccl_graph *g, uint32_t *levels)
{
    uint32_t *level = calloc((size_t)g->m->step_count + 1, sizeof *level), before[MSCCL_BEFORE];
    *levels = 0;
    for (uint32_t i = 0; level && i < g->ordered; i++) {
        uint32_t step = g->order[i];
        int found = msccl_graph_before(g, step, before);
        for (int k = 0; k < found; k++)
            level[step] = level[before[k]] + 1 > level[step] ? level[before[k]] + 1 : level[step];
        *levels = level[step] + 1 > *levels ? level[step] + 1 : *levels;
    }
    return level;
}

static int x_of(int32_t rank)
{
    return MARGIN + COLUMN * rank;
}

static int y_of(uint32_t level)
{
    return MARGIN + LINE * (int)(level + 1);
}

static void write_chunks(int32_t from, int32_t count, FILE *out)
{
    if (count > 1)
        fprintf(out, "%d-%d", from, from + count - 1);
    else
        fprintf(out, "%d", from);
}

static void draw_message(const struct msccl_graph *g, const uint32_t *level, uint32_t send,
                         FILE *out)
{
    const struct msccl *m = g->m;
    const uint32_t receive = g->receiver[send];
    const struct msccl_step *s = &m->steps[send], *r = &m->steps[receive];
    const int x = x_of(m->blocks[s->block].rank), y = y_of(level[send]);
    const int to = x_of(m->blocks[r->block].rank), end = y_of(level[receive]);
    const int channel = m->blocks[s->block].channel;
    fprintf(out,
            "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"hsl(%d,70%%,40%%)\" "
            "marker-end=\"url(#to)\"%s/>\n",
            x, y, to, end, channel * 67 % 360,
            r->kind->does & MSCCL_READS ? " stroke-dasharray=\"5 2\"" : "");
    fprintf(out, "<text x=\"%d\" y=\"%d\">", (2 * x + to) / 3, (2 * y + end) / 3 - 2);
    if (s->kind->does & MSCCL_READS)
        write_chunks(s->from, s->count, out);
    else
        write_chunks(s->to, s->count, out);
    fprintf(out, "</text>\n");
}

static void draw_steps(const struct msccl_graph *g, const uint32_t *level, FILE *out)
{
    for (uint32_t i = 0; i < g->m->step_count; i++) {
        const struct msccl_step *s = &g->m->steps[i];
        if (g->receiver[i] != MSCCL_NONE)
            draw_message(g, level, i, out);
        if (!(s->kind->does & (MSCCL_SENDS | MSCCL_RECEIVES)) && s->kind->does)
            fprintf(
                out, "<circle cx=\"%d\" cy=\"%d\" r=\"3\"><title>%s %d to %d</title></circle>\n",
                x_of(g->m->blocks[s->block].rank), y_of(level[i]), s->kind->name, s->from, s->to);
    }
}

static void draw(const struct msccl_graph *g, const uint32_t *level, uint32_t levels, FILE *out)
{
    const int32_t n = g->m->n;
    const int width = 2 * MARGIN + COLUMN * (n - 1), height = y_of(levels) + MARGIN / 2;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">\n"
            "<defs><marker id=\"to\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
            "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            width, height, width, height);
    for (int32_t i = 0; i < n; i++)
        fprintf(out,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d</text>\n"
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#ccc\"/>\n",
                x_of(i), MARGIN / 2, i, x_of(i), MARGIN / 2 + 6, x_of(i), height - MARGIN / 2);
    draw_steps(g, level, out);
    fprintf(out, "</svg>\n");
}

bool msccl_draw(const struct msccl_graph *g, FILE *out, char error[MSCCL_ERROR])
{
    uint32_t levels;
    uint32_t *level = find_levels(g, &levels);
    bool fits = g->m->n <= MSCCL_DRAWN_RANKS && levels <= MSCCL_DRAWN_LEVELS;
    if (!level)
        snprintf(error, MSCCL_ERROR, "there is no memory for the drawing");
    else if (!fits)
        snprintf(error, MSCCL_ERROR,
                 "a drawing has up to %d ranks and %d steps one after the other; this has %d and "
                 "%u",
                 MSCCL_DRAWN_RANKS, MSCCL_DRAWN_LEVELS, g->m->n, levels);
    else
        draw(g, level, levels, out);
    free(level);
    return level && fits;
}
