/* Draws curves over the block length as SVG. Both axes are logarithmic. */
#ifndef KPORT_TOOLS_CHART_H
#define KPORT_TOOLS_CHART_H

#include <stddef.h>
#include <stdio.h>

/* How a curve is drawn: with a line and a dot at each point, or only with a line. */
enum chart_stroke {
    CHART_SOLID,
    CHART_DASHED,
    CHART_DOTTED
};

/* A point of the curve of this colour and stroke. The points of a curve stand in the order of their
 * x. `x` is in bytes, `y` in microseconds. Points with x or y <= 0 are not drawn. */
struct chart_point {
    size_t colour;
    enum chart_stroke stroke;
    double x, y;
};

/* A vertical line at `x`, with a text. */
struct chart_mark {
    double x;
    char text[96];
};

struct chart {
    const char *title, *note; /* a headline, and a smaller line below it */
    struct chart_point *points;
    size_t count;
    char (*names)[64]; /* the legend: a name for each colour, from 0 on */
    size_t name_count;
    const struct chart_mark *marks;
    size_t mark_count;
};

void chart_write(const struct chart *chart, FILE *out);

#endif
