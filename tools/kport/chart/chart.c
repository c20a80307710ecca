#include "tools/kport/chart/chart.h"

#include "tools/kport/chart/page.h"

/* The part of the page that has the curves, and the distances to its left and below it, in pixels.
 * The page is as wide as its texts. */
#define CURVES_WIDTH  620
#define CURVES_HEIGHT 428
#define LEFT          92
#define BOTTOM        56
#define LINE          18 /* the height of a line of text */
#define SAMPLE        44 /* the width of a line in the legend, with a gap behind it */
/* How wide a character is at most on average: of a name or a note, and of the title. */
#define CHARACTER      7.0
#define WIDE_CHARACTER 11.5
#define MARK_LINES     6

static const char light[] =
    "text{font:12px \"DejaVu Sans\",Verdana,Arial,sans-serif;fill:#222}\n"
    ".title{font-size:17px;font-weight:bold}.soft{fill:#555}.mid{text-anchor:middle}\n"
    ".end{text-anchor:end}.grid{stroke:#ccc}.fine{stroke:#eee}.axis{stroke:#444;fill:none}\n"
    ".mark{stroke:#777;stroke-dasharray:2 3}.page,.open{fill:#fff}\n"
    ".over{stroke:#fff;stroke-width:4px;paint-order:stroke}\n"
    ".full{fill:currentColor}.full,.open{stroke:currentColor;stroke-width:1.4}\n"
    ".curve{fill:none;stroke:currentColor;stroke-width:1.8;stroke-linejoin:round}\n"
    ".second{stroke-dasharray:9 3 2 3}.s1{stroke-dasharray:7 4}\n"
    ".s2{stroke-dasharray:.1 4;stroke-linecap:round}.s3{stroke:#d0d0d0;stroke-width:10}\n"
    ".band{fill:currentColor;opacity:.17}\n";

static const char dark[] = "@media(prefers-color-scheme:dark){\n"
                           "text{fill:#eee}.soft{fill:#bbb}.page,.open{fill:#1a1c20}\n"
                           ".over{stroke:#1a1c20}.grid{stroke:#4a4d53}.fine{stroke:#2a2c31}\n"
                           ".axis{stroke:#aaa}.mark{stroke:#999}.s3{stroke:#50545c}\n";

/* --- Texts --- */

void chart_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

static const char *unit_format(double value, double thousand, const char *const units[4],
                               char *text, size_t size)
{
    int unit = 0;
    for (; value >= thousand && unit < 3; unit++)
        value /= thousand;
    snprintf(text, size, value < 1000 ? "%.3g %s" : "%.0f %s", value, units[unit]);
    return text;
}

const char *bytes_format(double bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    return unit_format(bytes, 1024, units, text, size);
}

const char *time_format(double us, char *text, size_t size)
{
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    return unit_format(1000 * us, 1000, units, text, size);
}

const char *x_format(const struct chart *chart, double x, char *text, size_t size)
{
    if (!chart->counts)
        return bytes_format(x, text, size);
    snprintf(text, size, "%.0f", x);
    return text;
}

void put_text(FILE *out, double x, double y, const char *class, const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    chart_text(text, out);
    fprintf(out, "</text>\n");
}

void put_line(FILE *out, const char *class, double x1, double y1, double x2, double y2)
{
    fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, x1, y1, x2, y2);
}

/* Returns the number of characters of a text in UTF-8. */
static double length_of(const char *text)
{
    size_t length = 0;
    for (; *text; text++)
        length += (*text & 0xc0) != 0x80;
    return (double)length;
}

/* --- Marks --- */

/* A text stands to the right of its line, unless it would leave the curves' part of the page. */
static void draw_marks(const struct chart_page *page)
{
    for (size_t i = 0; i < page->chart->mark_count; i++) {
        const struct chart_mark *mark = &page->chart->marks[i];
        double at = axis_at(&page->x, mark->x);
        put_line(page->out, "mark", at, page->y.begin, at, page->y.end);
    }
    for (size_t i = 0; i < page->chart->mark_count; i++) {
        const struct chart_mark *mark = &page->chart->marks[i];
        double at = axis_at(&page->x, mark->x);
        bool left = at + 5 + CHARACTER * length_of(mark->text) > page->x.end;
        put_text(page->out, at + (left ? -5 : 5), page->y.end + 14 + 16 * (double)(i % MARK_LINES),
                 left ? "end soft over" : "soft over", mark->text);
    }
}

/* --- The legend --- */

/* Returns where the line of a series ends on the page, from above. */
static double end_of(const struct chart_page *page, size_t series)
{
    const struct chart_point *last = NULL;
    for (size_t i = 0; i < page->chart->count; i++) {
        const struct chart_point *p = &page->chart->points[i];
        if (p->series == series && chart_is_drawn(p) &&
            (!last || p->stroke < last->stroke || (p->stroke == last->stroke && p->x > last->x)))
            last = p;
    }
    return last ? axis_at(&page->y, last->y) : page->y.begin;
}

/* Finds the series whose line ends next below the series `after`, which is the number of series at
 * first. */
static size_t next_below(const struct chart_page *page, size_t after)
{
    size_t count = page->chart->name_count, next = count;
    double from = after < count ? end_of(page, after) : -1e9, nearest = 1e9;
    for (size_t i = 0; i < count; i++) {
        double end = end_of(page, i);
        bool below = end > from || (end == from && after < count && i > after);
        if (below && end < nearest) {
            nearest = end;
            next = i;
        }
    }
    return next;
}

/* Each name stands beside the end of its line, or as near as the other names allow. */
static void draw_legend(const struct chart_page *page)
{
    const size_t count = page->chart->name_count;
    double x = page->x.end + 14, free = page->y.end + 6;
    size_t series = count;
    for (size_t i = 0; i < count; i++) {
        series = next_below(page, series);
        double end = end_of(page, series), most = page->y.begin - LINE * (double)(count - 1 - i);
        double y = end > most ? most : end;
        y = y < free ? free : y;
        free = y + LINE;
        curves_sample(page, series, x, y);
        put_text(page->out, x + SAMPLE, y + 4, "", page->chart->names[series]);
    }
}

/* --- The page --- */

static void lay_out(struct chart_page *page)
{
    const struct chart *chart = page->chart;
    double right = 0, width = WIDE_CHARACTER * length_of(chart->title), top = 48;
    for (size_t i = 0; i < chart->name_count; i++) {
        double length = 14 + SAMPLE + CHARACTER * length_of(chart->names[i]);
        right = length > right ? length : right;
    }
    for (int i = 0; i < CHART_NOTES && chart->notes[i]; i++) {
        double length = CHARACTER * length_of(chart->notes[i]);
        width = length > width ? length : width;
        top += LINE;
    }
    double height = LINE * (double)chart->name_count;
    page->x = (struct axis_scale){.begin = LEFT, .end = LEFT + CURVES_WIDTH};
    width = CURVES_WIDTH + right > width ? CURVES_WIDTH + right : width;
    page->width = LEFT + width + 16;
    page->y.end = top;
    page->y.begin = top + (height > CURVES_HEIGHT ? height : CURVES_HEIGHT);
    page->height = page->y.begin + BOTTOM;
}

void chart_write(const struct chart *chart, FILE *out)
{
    struct chart_page page = {.chart = chart, .out = out};
    lay_out(&page);
    axes_find(&page);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\">\n<style>\n%s",
            page.width, page.height, page.width, page.height, light);
    curves_style(false, out);
    fputs(dark, out);
    curves_style(true, out);
    fprintf(out, "}\n</style>\n<rect width=\"100%%\" height=\"100%%\" class=\"page\"/>\n");
    put_text(out, LEFT, 28, "title", chart->title);
    for (int i = 0; i < CHART_NOTES && chart->notes[i]; i++)
        put_text(out, LEFT, 50 + LINE * i, "soft", chart->notes[i]);
    axes_draw(&page);
    curves_draw(&page);
    draw_marks(&page);
    draw_legend(&page);
    fprintf(out, "</svg>\n");
}
