/* Writes one HTML page that contains all figures and needs no other file. */
#include "tools/kport/figures/figures.h"

#include "kport.h"

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>kport: figures</title>\n<link rel=\"icon\" href=\"data:,\">\n"
    "<style>\n"
    ":root { color-scheme: light dark; }\n"
    "body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif;"
    " color: #222; background: #fff; }\n"
    "nav a { margin-right: 1em; }\n"
    "figure { margin: 3rem 0; }\n"
    "svg { width: 100%; height: auto; }\n"
    "pre { overflow: auto; max-height: 24rem; background: #f6f6f6; padding: 1rem; font-size: "
    "0.8rem; }\n"
    ".remark { font-weight: 600; }\n"
    "@media (prefers-color-scheme: dark) { body { color: #eee; background: #1a1c20; }"
    " pre { background: #26292f; } a { color: #8ab4f8; } }\n"
    "</style>\n</head>\n<body>\n<h1>kport: figures</h1>\n";

static bool write_figure(const struct figures *figures, const struct figure *figure, FILE *out)
{
    char text[160];
    fprintf(out, "<figure id=\"%s\">\n<h2>", figure->name);
    chart_text(figure->title, out);
    fprintf(out, "</h2>\n");
    left_out_format(figure, text, sizeof text);
    if (figure->files == NO_FILES) {
        fprintf(out, "<p>%s.</p>\n</figure>\n",
                figure->missing > 0 ? "Interrupted before anything of it was measured" : text);
        return true;
    }
    if (figure->files == DATA_ALONE)
        fprintf(out, "<p>There is no picture, for there is no point to draw.</p>\n");
    else if (!figure_draw(figures, figure, out))
        return false;
    fprintf(out, "<figcaption>\n<p>");
    chart_text(figure->kind->caption, out);
    if (figure->kind->modelled)
        fputs(" Dots: the linear model T = C<sub>1</sub> β + C<sub>2</sub> τ, fitted to the "
              "points.",
              out);
    fprintf(out, "</p>\n<p class=\"remark\">");
    chart_text(figure->remark, out);
    fprintf(out, "</p>\n");
    if (*text)
        fprintf(out, "<p>%s.</p>\n", text);
    if (figure->missing > 0)
        fprintf(out, "<p>%zu points are missing: the measuring was interrupted.</p>\n",
                figure->missing);
    fprintf(out, "</figcaption>\n<details><summary>%s.csv</summary>\n<pre>", figure->name);
    figure_csv(figure, out); /* the CSV has only names and numbers, which need no HTML escapes */
    fprintf(out, "</pre></details>\n</figure>\n");
    return true;
}

static void write_introduction(const struct figures *figures, FILE *out)
{
    fprintf(out, "<p>");
    chart_text(figures->here, out);
    fprintf(out, ".");
    if (*figures->load_before)
        fprintf(out,
                " Load in the last 1, 5 and 15 minutes before the measurement: %s; after it: %s.",
                figures->load_before, figures->load_after);
    fprintf(out,
            "</p>\n<p>Measured%s. Times are from the last processor's start to the last one's end "
            "of calls in a row, the median of them (beside peers the median of turns). Half of the "
            "times "
            "lie in the band around a curve, between the first and the third quartile. Every byte "
            "of the first call was compared. The processors share the cores and one memory.</p>\n"
            "<nav>",
            figures->quick ? " on a coarse grid" : "");
    for (size_t i = 0; i < figures->count; i++)
        fprintf(out, "<a href=\"#%s\">%s</a>", figures->list[i].name, figures->list[i].name);
    fprintf(out, "</nav>\n");
}

bool figures_page(const struct figures *figures, FILE *out)
{
    bool right = true;
    fputs(head, out);
    write_introduction(figures, out);
    for (size_t i = 0; i < figures->count && right; i++)
        right = write_figure(figures, &figures->list[i], out);
    fputs("</body>\n</html>\n", out);
    return right;
}
