/* The page of a chart: where the axes are, and what is written on it. */
#ifndef KPORT_TOOLS_CHART_PAGE_H
#define KPORT_TOOLS_CHART_PAGE_H

#include "tools/kport/chart/chart.h"

/* An axis goes from the value `low` to the value `high`, and on the page from `begin` to `end`, in
 * pixels. */
struct axis_scale {
    double low, high, begin, end;
};

struct chart_page {
    const struct chart *chart;
    FILE *out;
    struct axis_scale x, y;
    double width, height;
};

/* Where a value of an axis is on the page, in pixels. */
double axis_at(const struct axis_scale *axis, double value);

/* Sets the axes such that they have all points, and draws them. The caller has set where the axes
 * begin and end on the page. */
void axes_find(struct chart_page *page);
void axes_draw(const struct chart_page *page);

bool chart_is_drawn(const struct chart_point *point);

/* Writes a length or a number of the x axis to `text`. Returns `text`. */
const char *x_format(const struct chart *chart, double x, char *text, size_t size);

void put_text(FILE *out, double x, double y, const char *class, const char *text);
void put_line(FILE *out, const char *class, double x1, double y1, double x2, double y2);

/* Writes the rules of the series' colours, for light or for dark pages. */
void curves_style(bool dark, FILE *out);

/* Draws the lines of all series, their bands and their markers. */
void curves_draw(const struct chart_page *page);

/* Draws a short piece of a series' line with its marker, for the legend. */
void curves_sample(const struct chart_page *page, size_t series, double x, double y);

#endif
