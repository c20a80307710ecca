/* Draws curves as SVG, for `kport figures`, `kport compare` and `kport predict`. Both axes are
 * logarithmic. The picture needs no other file. It has colours for light and for dark pages. */
#ifndef KPORT_TOOLS_CHART_H
#define KPORT_TOOLS_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* How the points of a series are joined. CHART_BROAD: a broad grey line, behind all others. A
 * marker stands at each point of a solid or dashed line. A dotted line has markers only if its
 * series has no other line. */
enum chart_stroke {
    CHART_SOLID,
    CHART_DASHED,
    CHART_DOTTED,
    CHART_BROAD,
    CHART_STROKES
};

/* A point of the line of this series and stroke. The points of a line stand in the order of their
 * x. `y` is in microseconds. Points with x or y <= 0 are not drawn. A band joins the values from
 * `low` to `high` of a line's points; if `high` is 0, the point has no such values. */
struct chart_point {
    size_t series;
    enum chart_stroke stroke;
    double x, y, low, high;
};

/* A vertical line at `x`, with a text. */
struct chart_mark {
    double x;
    char text[96];
};

#define CHART_NOTES 3

struct chart {
    const char *title, *notes[CHART_NOTES]; /* a headline, and smaller lines below it, or NULL */
    const char *x_label, *y_label;
    bool counts; /* x is a number; otherwise a length in bytes */
    struct chart_point *points;
    size_t count;
    char (*names)[64]; /* the legend: a name for each series, from 0 on */
    size_t name_count;
    const struct chart_mark *marks;
    size_t mark_count;
};

void chart_write(const struct chart *chart, FILE *out);

/* Writes a text in which characters that HTML and XML reserve become entities. */
void chart_text(const char *text, FILE *out);

/* Writes a length to `text`, as "512 B" or "64 KiB". Returns `text`. */
const char *bytes_format(double bytes, char *text, size_t size);

/* Writes a time to `text`, as "12 µs" or "3.4 ms". Returns `text`. */
const char *time_format(double us, char *text, size_t size);

#endif
