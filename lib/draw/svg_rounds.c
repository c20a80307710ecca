/* Draws the rounds of a schedule in SVG. There is a column for each processor and a horizontal band
 * for each round, and time goes downwards. Each message is an arrow from its sender, at the top of
 * the band, to its receiver, at the bottom. */
#include "lib/draw/svg.h"

#include <stdlib.h>
#include <string.h>

#define LEFT    72 /* the x of the first column; the numbers of the rounds stand left of it */
#define HEADER  34 /* the height of the line with the processors' numbers */
#define BETWEEN 10 /* the distance between two bands */

struct layout {
    int spacing; /* the width of a column */
    int band;    /* the height of a band */
    int right, bottom;
};

/* Returns how many columns the longest arrow spans. */
static int longest(const struct kp_svg *svg)
{
    const struct kp_arrow *arrows = svg->arrows.items;
    int most = 0;
    for (size_t i = 0; i < svg->arrows.count; i++) {
        int columns = abs(arrows[i].to - arrows[i].from);
        most = columns > most ? columns : most;
    }
    return most;
}

/* Chooses the widths and heights. With more processors the columns are narrower. If arrows span
 * more columns, the bands are higher, because the arrows would be too flat otherwise. */
static struct layout lay_out(const struct kp_svg *svg)
{
    static const struct {
        int n, spacing;
    } rows[] = {{6, 88}, {16, 64}, {32, 40}, {64, 28}, {KP_DRAW_SVG_N, 20}};
    size_t row = 0;
    while (svg->diagram.n > rows[row].n && row + 1 < sizeof rows / sizeof rows[0])
        row++;
    struct layout l = {.spacing = rows[row].spacing};
    l.band = 48 + longest(svg) * l.spacing / 10;
    l.right = LEFT + svg->diagram.n * l.spacing;
    l.bottom = HEADER + svg->diagram.rounds * (l.band + BETWEEN);
    return l;
}

static int column(const struct layout *l, int rank)
{
    return LEFT + l->spacing / 2 + rank * l->spacing;
}

static int top_of(const struct layout *l, int round)
{
    return HEADER + round * (l->band + BETWEEN);
}

static void draw_bands(struct kp_svg *svg, const struct layout *l)
{
    char text[24];
    for (int round = 0; round < svg->diagram.rounds; round++) {
        int top = top_of(l, round);
        kp_svg_put(svg, "<rect class=\"band\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
                   LEFT, top, l->right - LEFT, l->band);
        snprintf(text, sizeof text, "round %d", round);
        kp_svg_text(svg, LEFT - 10, top + l->band / 2 + 4, "end soft", text);
    }
}

static void draw_processors(struct kp_svg *svg, const struct layout *l)
{
    char text[16];
    kp_svg_text(svg, LEFT - 10, 16, "end soft", "processor");
    for (int rank = 0; rank < svg->diagram.n; rank++) {
        int x = column(l, rank);
        kp_svg_put(svg, "<path class=\"life\" d=\"M%d %dV%d\"/>\n", x, HEADER - 10, l->bottom);
        if (l->spacing >= 28)
            kp_svg_put(svg, "<circle class=\"rank\" cx=\"%d\" cy=\"12\" r=\"12\"/>\n", x);
        snprintf(text, sizeof text, "%d", rank);
        kp_svg_text(svg, x, l->spacing >= 28 ? 16 : 18, l->spacing >= 28 ? "mid" : "mid small",
                    text);
    }
}

static void draw_message(struct kp_svg *svg, const struct layout *l, const struct kp_arrow *m,
                         int64_t thickness)
{
    char port[16];
    int top = top_of(l, m->round);
    struct kp_svg_point from = {10 * column(l, m->from), 10 * top};
    struct kp_svg_point to = {10 * column(l, m->to), 10 * (top + l->band)};
    kp_svg_put(svg, "<g class=\"arrow %s\"><title>", kp_svg_port(m->port, port));
    kp_svg_put(svg, "round %d: %d to %d, port %d, %lld bytes</title>", m->round, m->from, m->to,
               m->port, (long long)m->bytes);
    kp_svg_arrow(svg, from, to, thickness);
    kp_svg_put(svg, "</g>\n");
}

static bool is_marked(const struct kp_svg *svg, const struct kp_arrow *m)
{
    const struct kp_mark *mark = svg->diagram.mark;
    if (!mark || m->round != mark->round)
        return false;
    return (m->from == mark->from && m->to == mark->to && m->port == mark->port) ||
           (mark->has_other && m->from == mark->other_from && m->to == mark->other_to &&
            m->port == mark->other_port);
}

/* Draws a circle with an exclamation mark. */
static void draw_bang(struct kp_svg *svg, int x, int y)
{
    kp_svg_put(svg, "<circle class=\"bad\" cx=\"%d\" cy=\"%d\" r=\"10\"/>\n", x, y);
    kp_svg_text(svg, x, y + 4, "bang", "!");
}

/* Draws a message that is wrong, or a processor, over all other arrows. */
static void draw_wrong(struct kp_svg *svg, const struct layout *l, int sender, int receiver)
{
    const struct kp_mark *mark = svg->diagram.mark;
    int end = mark->round >= svg->diagram.rounds;
    int top = mark->round < 0 ? HEADER - l->band / 2 : end ? l->bottom : top_of(l, mark->round);
    int from = column(l, sender), to = column(l, receiver);
    kp_svg_put(svg, "<g class=\"arrow wrong%s\"><title>", mark->missing ? " dash1" : "");
    kp_svg_put(svg, "what is wrong: processor %d to %d</title>", sender, receiver);
    if ((sender != receiver || mark->port >= 0) && mark->round >= 0 && !end)
        kp_svg_arrow(svg, (struct kp_svg_point){10 * from, 10 * top},
                     (struct kp_svg_point){10 * to, 10 * (top + l->band)}, 45);
    kp_svg_put(svg, "</g>\n");
    draw_bang(svg, (from + to) / 2, end ? top - BETWEEN / 2 : top + l->band / 2);
}

/* Draws what is wrong: a message, dashed if nobody sends it, or two, or a processor in a round. */
static void draw_mark(struct kp_svg *svg, const struct layout *l)
{
    const struct kp_mark *mark = svg->diagram.mark;
    if (mark->has_other)
        draw_wrong(svg, l, mark->other_from, mark->other_to);
    draw_wrong(svg, l, mark->from, mark->to);
}

void kp_svg_rounds(struct kp_svg *svg)
{
    struct layout l = lay_out(svg);
    struct kp_svg_scale scale = kp_svg_scale_of(svg, l.spacing >= 40 ? 45 : 35);
    const struct kp_arrow *arrows = svg->arrows.items;
    kp_svg_put(svg, "<g class=\"rounds\">\n");
    draw_bands(svg, &l);
    draw_processors(svg, &l);
    for (size_t i = 0; i < svg->arrows.count; i++) {
        if (!is_marked(svg, &arrows[i]))
            draw_message(svg, &l, &arrows[i], kp_svg_thickness(&scale, arrows[i].bytes));
    }
    if (svg->diagram.mark)
        draw_mark(svg, &l);
    kp_svg_put(svg, "</g>\n");
    kp_svg_reach(svg, l.right, l.bottom + BETWEEN);
    kp_svg_legend(svg, &scale);
}
