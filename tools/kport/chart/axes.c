/* The axes of a chart: their range, and the values that are written beside them. Lengths and
 * numbers have powers of 2. Times have powers of 10; if there are few of them, also twice and five
 * times a power; and if the range is smaller still, equal steps. */
#include "tools/kport/chart/page.h"

#include <math.h>

#define MOST_TICKS 12
#define ROOM       1.12 /* the factor between the outermost points and the ends of the axis */
#define LEAST_SPAN 1.5  /* the least factor between the ends of the axis of times */

double axis_at(const struct axis_scale *axis, double value)
{
    double range = log(axis->high / axis->low);
    return axis->begin + log(value / axis->low) / range * (axis->end - axis->begin);
}

bool chart_is_drawn(const struct chart_point *point)
{
    return point->x > 0 && point->y > 0;
}

static void widen(struct axis_scale *axis, double value)
{
    if (value <= 0)
        return;
    axis->low = axis->low == 0 || value < axis->low ? value : axis->low;
    axis->high = value > axis->high ? value : axis->high;
}

static void leave_room(struct axis_scale *axis, double least_span)
{
    if (axis->high == 0)
        axis->low = axis->high = 1;
    double span = axis->high / axis->low * ROOM * ROOM;
    double factor = span < least_span ? sqrt(least_span / span) * ROOM : ROOM;
    axis->low /= factor;
    axis->high *= factor;
}

void axes_find(struct chart_page *page)
{
    const struct chart *chart = page->chart;
    for (size_t i = 0; i < chart->count; i++) {
        const struct chart_point *p = &chart->points[i];
        if (!chart_is_drawn(p))
            continue;
        widen(&page->x, p->x);
        widen(&page->y, p->y);
        widen(&page->y, p->high > 0 ? p->low : 0);
        widen(&page->y, p->high);
    }
    leave_room(&page->x, 1);
    leave_room(&page->y, LEAST_SPAN);
}

/* --- Ticks --- */

static void x_tick(const struct chart_page *page, double value)
{
    char text[32];
    double at = axis_at(&page->x, value);
    put_line(page->out, "grid", at, page->y.begin, at, page->y.end);
    put_text(page->out, at, page->y.begin + 18, "mid soft",
             x_format(page->chart, value, text, sizeof text));
}

static void y_tick(const struct chart_page *page, double value, bool labelled)
{
    char text[32];
    double at = axis_at(&page->y, value);
    if (value < page->y.low || value > page->y.high)
        return;
    put_line(page->out, labelled ? "grid" : "fine", page->x.begin, at, page->x.end, at);
    if (labelled)
        put_text(page->out, page->x.begin - 8, at + 4, "end soft",
                 time_format(value, text, sizeof text));
}

/* If there are fewer than two powers of 2, the ends of the data have ticks instead. */
static void x_ticks(const struct chart_page *page)
{
    int first = (int)ceil(log2(page->x.low)), last = (int)floor(log2(page->x.high));
    int step = (last - first) / MOST_TICKS + 1;
    if (last <= first) {
        x_tick(page, round(page->x.low * ROOM));
        if (page->x.high / page->x.low > ROOM * ROOM * 1.05)
            x_tick(page, round(page->x.high / ROOM));
        return;
    }
    for (int i = first; i <= last; i += step)
        x_tick(page, exp2(i));
}

static void y_ticks(const struct chart_page *page)
{
    double low = page->y.low, high = page->y.high, decades = log10(high / low);
    if (decades < 1) {
        double power = pow(10, floor(log10((high - low) / 4))), rough = (high - low) / 4 / power;
        double step = power * (rough < 2 ? 1 : rough < 5 ? 2 : 5);
        for (double i = ceil(low / step); i * step <= high; i++)
            y_tick(page, i * step, true);
        return;
    }
    for (int i = (int)floor(log10(low)); i <= (int)floor(log10(high)); i++) {
        for (int j = 1; j < 10; j++)
            y_tick(page, j * pow(10, i), j == 1 || (decades < 2.5 && (j == 2 || j == 5)));
    }
}

void axes_draw(const struct chart_page *page)
{
    x_ticks(page);
    y_ticks(page);
    fprintf(page->out, "<path class=\"axis\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", page->x.begin,
            page->y.end, page->y.begin, page->x.end);
    put_text(page->out, (page->x.begin + page->x.end) / 2, page->y.begin + 40, "mid",
             page->chart->x_label);
    fprintf(page->out, "<text class=\"mid\" transform=\"translate(18 %.1f) rotate(-90)\">",
            (page->y.begin + page->y.end) / 2);
    chart_text(page->chart->y_label, page->out);
    fprintf(page->out, "</text>\n");
}
