/* Writes one HTML page that contains all figures and needs no other file. The pictures are data
 * URIs. So equal names in different SVG pictures do not conflict. */
#include "tools/kport/figures/figures.h"

#include "kport.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>kport: figures</title>\n<link rel=\"icon\" href=\"data:,\">\n"
    "<style>\n"
    "body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif;"
    " color: #222; background: #fff; }\n"
    "nav a { margin-right: 1em; }\n"
    "figure { margin: 3rem 0; }\n"
    "img { width: 100%; height: auto; }\n"
    "pre { overflow: auto; max-height: 24rem; background: #f6f6f6; padding: 1rem; font-size: "
    "0.8rem; }\n"
    ".remark { font-weight: 600; }\n"
    "</style>\n</head>\n<body>\n<h1>kport: figures</h1>\n";

void figure_text(const char *text, FILE *out)
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

static void write_base64(FILE *out, FILE *in)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char bytes[3];
    for (size_t count; (count = fread(bytes, 1, 3, in)) > 0;) {
        unsigned long word = (unsigned long)bytes[0] << 16;
        word |= count > 1 ? (unsigned long)bytes[1] << 8 : 0;
        word |= count > 2 ? (unsigned long)bytes[2] : 0;
        fputc(digits[word >> 18 & 63], out);
        fputc(digits[word >> 12 & 63], out);
        fputc(count > 1 ? digits[word >> 6 & 63] : '=', out);
        fputc(count > 2 ? digits[word & 63] : '=', out);
    }
}

static bool write_picture(FILE *out, int folder, const struct figure *figure)
{
    char name[64];
    snprintf(name, sizeof name, "%s.svg", figure->name);
    int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC);
    FILE *in = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    if (!in) {
        fprintf(stderr, "kport figures: %s could not be read: %s\n", name, strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    fprintf(out, "<img width=\"960\" height=\"560\" alt=\"");
    figure_text(figure->title, out);
    fprintf(out, "\" src=\"data:image/svg+xml;base64,");
    write_base64(out, in);
    fprintf(out, "\">\n");
    bool right = !ferror(in);
    return fclose(in) == 0 && right;
}

static bool write_figure(FILE *out, int folder, const struct figure *figure)
{
    char text[160];
    fprintf(out, "<figure id=\"%s\">\n<h2>", figure->name);
    figure_text(figure->title, out);
    fprintf(out, "</h2>\n");
    left_out_format(figure, text, sizeof text);
    if (figure->files == NO_FILES) {
        fprintf(out, "<p>%s.</p>\n</figure>\n",
                figure->missing > 0 ? "Interrupted before anything of it was measured" : text);
        return true;
    }
    if (figure->files == DATA_ALONE)
        fprintf(out, "<p>There is no picture, for there is no point to draw.</p>\n");
    else if (figure->files == WITH_SCRIPT)
        fprintf(out, "<p>Interrupted before it was drawn.</p>\n");
    else if (!write_picture(out, folder, figure))
        return false;
    fprintf(out, "<figcaption>\n<p>");
    figure_text(figure->kind->caption, out);
    if (figure->kind->modelled)
        fputs(" Dashed: the linear model T = C<sub>1</sub> β + C<sub>2</sub> τ, fitted to the "
              "points.",
              out);
    fprintf(out, "</p>\n<p class=\"remark\">");
    figure_text(figure->remark, out);
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
    struct utsname system;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    fprintf(out, "<p>Measured by kport %s ", kp_version());
    if (uname(&system) == 0) {
        fprintf(out, "on a machine with %ld cores (", cores);
        figure_text(system.sysname, out);
        fputc(' ', out);
        figure_text(system.machine, out);
        fprintf(out, ")");
    }
    fprintf(out,
            "%s. Times are from the last processor's start to the last one's end of calls in "
            "a row, the median of them (beside peers the average); every byte of the first call "
            "was compared. "
            "The processors share the cores and one memory.</p>\n<nav>",
            figures->quick ? ", on a coarse grid" : "");
    for (size_t i = 0; i < figures->count; i++)
        fprintf(out, "<a href=\"#%s\">%s</a>", figures->list[i].name, figures->list[i].name);
    fprintf(out, "</nav>\n");
}

bool figures_page(const struct figures *figures, int folder, FILE *out)
{
    fputs(head, out);
    write_introduction(figures, out);
    for (size_t i = 0; i < figures->count; i++) {
        if (!write_figure(out, folder, &figures->list[i]))
            return false;
    }
    fputs("</body>\n</html>\n", out);
    return true;
}
