/* The lines of a chart. Up to 16 series have a colour and a marker each that no other series has,
 * and a line of the second eight has dashes, too. */
#include "tools/kport/chart/page.h"

#define LOOKS 16

/* A marker is a path that begins at its point. Closed markers are filled with the colour of their
 * series or with that of the page. The colours were chosen one after the other such that the least
 * difference (in OKLab) to those before is as large as possible, as people see them who see all
 * colours and as those see them who lack one kind of cones. So those of the first series differ
 * most. */
static const struct look {
    const char *light, *dark, *marker;
    bool filled;
} looks[LOOKS] = {
    {"#0072b2", "#56b4e9", "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", true},
    {"#b78a16", "#f28e2b", "m-3.5-3.5h7v7h-7z", true},
    {"#781d00", "#7a5aec", "m0-5 4.5 8h-9z", true},
    {"#5000a3", "#d72867", "m0-5 5 5-5 5-5-5z", true},
    {"#c8105c", "#7cface", "m0 5 4.5-8h-9z", true},
    {"#6b89f9", "#f5e141", "m-4-4 8 8m0-8-8 8", false},
    {"#968da8", "#abbea5", "m-3.5-3.5h7v7h-7z", false},
    {"#5844d4", "#3684a4", "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", false},
    {"#662162", "#b6770b", "m0-5 4.5 8h-9z", false},
    {"#274893", "#6b89f9", "m-5 0h10m-5-5v10", false},
    {"#246742", "#35dceb", "m0-5 5 5-5 5-5-5z", false},
    {"#659564", "#b195a5", "m-5-4 10 8v-8l-10 8z", true},
    {"#b16512", "#f8b65d", "m0 5 4.5-8h-9z", false},
    {"#5a7284", "#f56b76", "m-5 0h10m-7.5-4.5 5 9m0-9-5 9", false},
    {"#af2f02", "#bef095", "m-4-5h8l-8 10h8z", false},
    {"#0a73f3", "#7d90ca", "m-5 0 8-4.5v9z", true},
};

/* Beyond LOOKS series, colours return with other markers. */
static const struct look *marker_of(size_t series)
{
    return &looks[(series + series / LOOKS) % LOOKS];
}

void curves_style(bool dark, FILE *out)
{
    for (int i = 0; i < LOOKS; i++)
        fprintf(out, ".c%d{color:%s}%s", i, dark ? looks[i].dark : looks[i].light,
                i % 4 == 3 ? "\n" : "");
}

static void put_marker(FILE *out, size_t series, double x, double y)
{
    const struct look *look = marker_of(series);
    fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1f%s\">", look->filled ? "full" : "open", x, y,
            look->marker);
}

/* The class of a line. A solid line of the second eight series has dashes and dots. */
static void put_curve(FILE *out, size_t series, enum chart_stroke stroke)
{
    bool second = stroke == CHART_SOLID && series % LOOKS >= LOOKS / 2;
    fprintf(out, "<path class=\"curve s%d%s\" d=\"M", (int)stroke, second ? " second" : "");
}

static bool belongs(const struct chart_point *point, size_t series, enum chart_stroke stroke)
{
    return point->series == series && point->stroke == stroke && chart_is_drawn(point);
}

static size_t count_points(const struct chart *chart, size_t series, enum chart_stroke stroke)
{
    size_t count = 0;
    for (size_t i = 0; i < chart->count; i++)
        count += belongs(&chart->points[i], series, stroke);
    return count;
}

static void draw_line(const struct chart_page *page, size_t series, enum chart_stroke stroke)
{
    const struct chart *chart = page->chart;
    const char *between = "";
    put_curve(page->out, series, stroke);
    for (size_t i = 0; i < chart->count; i++) {
        const struct chart_point *p = &chart->points[i];
        if (!belongs(p, series, stroke))
            continue;
        fprintf(page->out, "%s%.1f %.1f", between, axis_at(&page->x, p->x),
                axis_at(&page->y, p->y));
        between = "L";
    }
    fprintf(page->out, "\"/>\n");
}

/* The band goes along the low values from left to right, and back along the high values. */
static void draw_band(const struct chart_page *page, size_t series)
{
    const struct chart *chart = page->chart;
    const char *before = "<path class=\"band\" d=\"M";
    for (size_t i = 0; i < 2 * chart->count; i++) {
        bool back = i >= chart->count;
        const struct chart_point *p = &chart->points[back ? 2 * chart->count - 1 - i : i];
        if (!belongs(p, series, CHART_SOLID) || p->high <= 0)
            continue;
        fprintf(page->out, "%s%.1f %.1f", before, axis_at(&page->x, p->x),
                axis_at(&page->y, back ? p->high : p->low));
        before = "L";
    }
    if (*before == 'L')
        fprintf(page->out, "z\"/>\n");
}

/* Each marker has a text that a browser shows under the pointer. */
static void draw_markers(const struct chart_page *page, size_t series, enum chart_stroke stroke)
{
    const struct chart *chart = page->chart;
    char x[32], y[32], low[32], high[32];
    for (size_t i = 0; i < chart->count; i++) {
        const struct chart_point *p = &chart->points[i];
        if (!belongs(p, series, stroke))
            continue;
        put_marker(page->out, series, axis_at(&page->x, p->x), axis_at(&page->y, p->y));
        fprintf(page->out, "<title>");
        chart_text(chart->names[series], page->out);
        fprintf(page->out, ", %s %s: %s", chart->x_label, x_format(chart, p->x, x, sizeof x),
                time_format(p->y, y, sizeof y));
        if (p->high > 0)
            fprintf(page->out, " (quartiles %s and %s)", time_format(p->low, low, sizeof low),
                    time_format(p->high, high, sizeof high));
        fprintf(page->out, "</title></path>\n");
    }
}

/* Draws the lines of a series with the same stroke. Returns whether there are any. */
static bool draw_stroke(const struct chart_page *page, size_t series, enum chart_stroke stroke)
{
    if (count_points(page->chart, series, stroke) == 0)
        return false;
    fprintf(page->out, "<g class=\"c%zu\">\n", series % LOOKS);
    if (stroke == CHART_SOLID)
        draw_band(page, series);
    draw_line(page, series, stroke);
    bool alone = count_points(page->chart, series, CHART_SOLID) == 0 &&
                 count_points(page->chart, series, CHART_DASHED) == 0;
    if (stroke < CHART_DOTTED || (stroke == CHART_DOTTED && alone))
        draw_markers(page, series, stroke);
    fprintf(page->out, "</g>\n");
    return true;
}

/* Of lines at the same place the first is to be seen. */
void curves_draw(const struct chart_page *page)
{
    for (int stroke = CHART_STROKES - 1; stroke >= 0; stroke--) {
        for (size_t series = page->chart->name_count; series-- > 0;)
            draw_stroke(page, series, (enum chart_stroke)stroke);
    }
}

void curves_sample(const struct chart_page *page, size_t series, double x, double y)
{
    bool broad = count_points(page->chart, series, CHART_BROAD) > 0;
    fprintf(page->out, "<g class=\"c%zu\">", series % LOOKS);
    put_curve(page->out, series, broad ? CHART_BROAD : CHART_SOLID);
    fprintf(page->out, "%.1f %.1fh32\"/>", x, y);
    if (!broad) {
        put_marker(page->out, series, x + 16, y);
        fprintf(page->out, "</path>");
    }
    fprintf(page->out, "</g>\n");
}
