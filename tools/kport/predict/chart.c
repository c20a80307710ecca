#include "tools/kport/predict/chart.h"

#include "tools/kport/figures/figures.h"

#include <math.h>

/* The page, and the distances of the axes from its sides, in pixels. */
#define WIDTH  960
#define HEIGHT 560
#define LEFT   84
#define RIGHT  270
#define TOP    76
#define BOTTOM 56

static const char style[] =
    "text{font:12px \"DejaVu Sans\",Verdana,Arial,sans-serif;fill:#222}\n"
    ".title{font-size:17px;font-weight:bold}.soft{fill:#555}.mid{text-anchor:middle}\n"
    ".end{text-anchor:end}.grid{stroke:#ddd}.axis{stroke:#444;fill:none}\n"
    ".mark{stroke:#888;stroke-dasharray:2 3}.curve{fill:none;stroke-width:1.8}\n"
    ".s1{stroke-dasharray:8 4}.s2{stroke-dasharray:2 3;stroke-width:1.2}\n";

/* The range of the values on an axis, as logarithms to base 2 or 10, and where the axis is. */
struct scale {
    double low, high, begin, end;
};

static double on(const struct scale *axis, double logarithm)
{
    double range = axis->high > axis->low ? axis->high - axis->low : 1;
    return axis->begin + (logarithm - axis->low) / range * (axis->end - axis->begin);
}

static void widen(struct scale *axis, double logarithm)
{
    axis->low = fmin(axis->low, logarithm);
    axis->high = fmax(axis->high, logarithm);
}

static void put_text(FILE *out, double x, double y, const char *class, const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    figure_text(text, out);
    fprintf(out, "</text>\n");
}

static void put_line(FILE *out, const char *class, double x1, double y1, double x2, double y2)
{
    fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, x1, y1, x2, y2);
}

static bool is_drawn(const struct chart_point *point)
{
    return point->x > 0 && point->y > 0;
}

/* The lengths from left to right by powers of 2, the times upwards by powers of 10. */
static void find_axes(const struct chart *chart, struct scale *x, struct scale *y)
{
    *x = (struct scale){INFINITY, -INFINITY, LEFT, WIDTH - RIGHT};
    *y = (struct scale){INFINITY, -INFINITY, HEIGHT - BOTTOM, TOP};
    for (size_t i = 0; i < chart->count; i++) {
        if (!is_drawn(&chart->points[i]))
            continue;
        widen(x, log2(chart->points[i].x));
        widen(y, log10(chart->points[i].y));
    }
    if (x->low > x->high)
        x->low = x->high = y->low = y->high = 0;
    y->low -= 0.1;
    y->high += 0.1;
}

static void draw_axes(const struct scale *x, const struct scale *y, FILE *out)
{
    char text[32];
    int step = (int)ceil((x->high - x->low + 1) / 12);
    for (int i = (int)ceil(x->low); i <= (int)floor(x->high); i += step) {
        put_line(out, "grid", on(x, i), y->begin, on(x, i), y->end);
        put_text(out, on(x, i), y->begin + 18, "mid soft",
                 bytes_format(exp2(i), text, sizeof text));
    }
    /* Within a few powers of 10, also two and five times a power. */
    double factors[] = {1, 2, 5};
    size_t count = y->high - y->low < 2.5 ? 3 : 1;
    for (int i = (int)floor(y->low); i <= (int)ceil(y->high); i++) {
        for (size_t j = 0; j < count; j++) {
            double at = i + log10(factors[j]);
            if (at < y->low || at > y->high)
                continue;
            put_line(out, "grid", x->begin, on(y, at), x->end, on(y, at));
            put_text(out, x->begin - 8, on(y, at) + 4, "end soft",
                     time_format(factors[j] * pow(10, i), text, sizeof text));
        }
    }
    fprintf(out, "<path class=\"axis\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", x->begin, y->end, y->begin,
            x->end);
    put_text(out, (x->begin + x->end) / 2, HEIGHT - 14, "mid", "block");
}

static void draw_marks(const struct chart *chart, const struct scale *x, const struct scale *y,
                       FILE *out)
{
    for (size_t i = 0; i < chart->mark_count; i++) {
        const struct chart_mark *mark = &chart->marks[i];
        double at = on(x, log2(mark->x));
        bool right = at > (x->begin + x->end) / 2;
        put_line(out, "mark", at, y->begin, at, y->end);
        put_text(out, at + (right ? -5 : 5), y->end + 14 + 16 * (double)(i % 6),
                 right ? "end soft" : "soft", mark->text);
    }
}

static void draw_curve(const struct chart *chart, size_t colour, enum chart_stroke stroke,
                       const struct scale *x, const struct scale *y, FILE *out)
{
    size_t drawn = 0;
    for (size_t i = 0; i < chart->count; i++) {
        const struct chart_point *p = &chart->points[i];
        if (p->colour != colour || p->stroke != stroke || !is_drawn(p))
            continue;
        if (drawn++ == 0)
            fprintf(out, "<path class=\"curve s%d\" stroke=\"%s\" d=\"M", (int)stroke,
                    figure_colour(colour));
        fprintf(out, "%s%.1f %.1f", drawn > 1 ? "L" : "", on(x, log2(p->x)), on(y, log10(p->y)));
    }
    if (drawn > 0)
        fprintf(out, "\"/>\n");
    for (size_t i = 0; i < chart->count && stroke == CHART_SOLID; i++) {
        const struct chart_point *p = &chart->points[i];
        if (p->colour == colour && p->stroke == stroke && is_drawn(p))
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n",
                    on(x, log2(p->x)), on(y, log10(p->y)), figure_colour(colour));
    }
}

static void draw_legend(const struct chart *chart, FILE *out)
{
    double x = WIDTH - RIGHT + 20;
    for (size_t i = 0; i < chart->name_count; i++) {
        double y = TOP + 10 + 19 * (double)i;
        fprintf(out, "<path class=\"curve\" stroke=\"%s\" d=\"M%.1f %.1fh24\"/>\n",
                figure_colour(i), x, y - 4);
        put_text(out, x + 32, y, "", chart->names[i]);
    }
}

void chart_write(const struct chart *chart, FILE *out)
{
    struct scale x, y;
    find_axes(chart, &x, &y);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n<style>\n%s</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, style);
    put_text(out, LEFT, 28, "title", chart->title);
    put_text(out, LEFT, 48, "soft", chart->note);
    draw_axes(&x, &y, out);
    draw_marks(chart, &x, &y, out);
    /* Of curves at the same place the first is to be seen. */
    for (size_t colour = chart->name_count; colour-- > 0;) {
        for (int stroke = CHART_DOTTED; stroke >= CHART_SOLID; stroke--)
            draw_curve(chart, colour, (enum chart_stroke)stroke, &x, &y, out);
    }
    draw_legend(chart, out);
    fprintf(out, "</svg>\n");
}
